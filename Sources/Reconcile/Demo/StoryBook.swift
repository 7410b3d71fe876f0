internal import Domain

/// `STORIES.md`: what was made to happen, in both languages, with what to look up and what the reports say of it.
struct StoryBook {
    var chapters: [(title: String, stories: [Story])]

    var markdown: String {
        Self.introduction + chapters.map { "\n## \($0.title)\n\n" + Self.table($0.stories) }.joined()
    }

    private static let introduction = """
        # Stories of the sample 样例故事

        Each of these was made to happen among the ordinary orders. Verdicts are those of the last night,
        2025-11-18; find an id in `out/latest/exceptions.csv` (`grep ID out/latest/exceptions.csv`) or in the
        workbook beside it. 每个故事都混在普通订单里；判定以最后一晚为准，可在报表中按编号查找。

        """

    private static func table(_ stories: [Story]) -> String {
        let head = "| story | 故事 | look up 查找 | verdict 判定 | the desk 客服 |\n|---|---|---|---|---|\n"
        return head
            + stories.map { story in
                let verdict = [story.verdict.rawValue, story.cause.rawValue].filter { !$0.isEmpty }
                let cells = [
                    story.english, story.chinese, "`\(story.id)`", "`\(verdict.joined(separator: "/"))`", story.desk,
                ]
                return "| " + cells.joined(separator: " | ") + " |\n"
            }.joined()
    }
}
