internal import Domain

/// One thing that went wrong, or looks as if it had: named in both languages, with what the reports must say of it.
struct Story {
    var english: String
    var chinese: String
    /// The identifier to look up.
    var id: String
    /// On the last business date.
    var verdict: Verdict
    var cause: Cause
    /// What the customer service desk does about it, in both languages.
    var desk: String

    init(
        _ english: String, _ chinese: String, _ id: Identifier?, _ verdict: Verdict, _ cause: Cause = .none,
        desk: String
    ) {
        self.english = english
        self.chinese = chinese
        guard let id else { preconditionFailure("nobody can look up the story \(english)") }
        self.id = id.text
        self.verdict = verdict
        self.cause = cause
        self.desk = desk
    }
}

extension Story {
    /// Where the retry manifest holds an entry: a desk that credits as well would make it two.
    static let repaired = "The repair job credits it; by hand only without an entry. 由补单程序处理，无条目才手工补。"
    static let nothing = "Nothing. 无需处理。"
}

/// Stories of one kind. Each lets something happen in the world and says what.
struct Chapter {
    typealias Teller = @Sendable (inout SampleWorld) -> Story

    var title: String
    var stories: [Teller]

    static let all = [
        lostOrders, moreLostOrders, creditedTwice, refunds, otherValues, forgeries, unprovenCredits, orphanReceipts,
        outOfScope, closed, waiting, matched,
    ]
}
