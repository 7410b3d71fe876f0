internal import Domain

/// `STORIES.md`: the scenarios in both languages, each with an identifier to look up and the verdict in the reports.
struct ScenarioIndex {
    private typealias Story = (scenario: Scenario, id: Identifier?)
    private let groups: [(title: String, stories: [Story])]

    /// Plays every scenario once.
    init(playingIn world: inout SampleWorld) {
        groups = ScenarioGroup.all.map { group in (group.title, group.scenarios.map { ($0, $0.happen(&world)) }) }
    }

    var markdown: String {
        Self.introduction + groups.map { "\n## \($0.title)\n\n" + Self.table($0.stories) }.joined() + Self.unreported
    }

    /// What no file can show.
    private static let unreported = """

        ## Purchases that neither phone nor backend reported 手机和后台都没有上报的购买

        They are in no file, so this sample cannot show one. Apple knows them: `reconcile fetch` asks. In the sources,
        `scripts/demo-apple` plays it with a stand-in for Apple.
        这类购买不在任何文件里，本样例无法体现。苹果有记录：用 `reconcile fetch` 查询。源代码中的 `scripts/demo-apple` 用模拟服务演示全过程。

        """

    private static let introduction = """
        # Stories of the sample 样例故事

        Each of these was made to happen among the ordinary orders. Verdicts are those of the last night,
        2025-11-18; find an id in `out/latest/exceptions.csv` (`grep ID out/latest/exceptions.csv`) or in the
        workbook beside it. 每个故事都混在普通订单里；判定以最后一晚为准，可在报表中按编号查找。

        """

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
