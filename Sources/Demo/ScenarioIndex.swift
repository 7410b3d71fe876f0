/// `STORIES.md`: the scenarios in both languages, each with an identifier to look up and the verdict in the reports.
struct ScenarioIndex {
    private typealias Story = (scenario: Scenario, id: Identifier?)
    private let groups: [(title: String, stories: [Story])]

    /// Plays every scenario once.
    init(playingIn world: inout SampleWorld) {
        groups = ScenarioGroup.all.map { group in
            let stories = group.scenarios.map { scenario -> Story in
                world.isNewestVersion = scenario.beginsInTheApp
                return (scenario, scenario.happen(&world))
            }
            return (group.title, stories)
        }
        world.isNewestVersion = false
    }

    var markdown: String {
        String(decoding: PackageResources.stories_md, as: UTF8.self)
            + groups.map { "\n## \($0.title)\n\n" + Self.table($0.stories) }.joined()
            // What no file can show.
            + String(decoding: PackageResources.unreported_md, as: UTF8.self)
    }

    private static func table(_ stories: [Story]) -> String {
        let head = "| story | 故事 | look up 查找 | verdict 判定 | the desk 客服 |\n|---|---|---|---|---|\n"
        return head
            + stories.map { scenario, id in
                guard let id else { preconditionFailure("\(scenario.english) has no identifier to look up") }
                let verdict = [scenario.verdict.rawValue, scenario.cause.rawValue].filter { !$0.isEmpty }
                let cells = [
                    scenario.english, scenario.chinese, "`\(id.text)`", "`\(verdict.joined(separator: "/"))`",
                    scenario.desk,
                ]
                return "| " + cells.joined(separator: " | ") + " |\n"
            }.joined()
    }
}
