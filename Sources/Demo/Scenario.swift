internal import Domain

/// Something that went wrong, or looks as if it had, as the page of scenarios describes it in both languages.
struct Scenario {
    var english: String
    var chinese: String
    /// The identifier to look up.
    var id: String
    /// The verdict that the last night must reach.
    var verdict: Verdict
    var cause: Cause
    /// What the customer service desk does, in both languages.
    var desk: String

    init(
        _ english: String, _ chinese: String, _ id: Identifier?, _ verdict: Verdict, _ cause: Cause = .none,
        desk: String
    ) {
        self.english = english
        self.chinese = chinese
        guard let id else { preconditionFailure("the scenario \(english) has no identifier to look up") }
        self.id = id.text
        self.verdict = verdict
        self.cause = cause
        self.desk = desk
    }
}

extension Scenario {
    /// The retry manifest contains an entry. If the desk credited as well, the customer would be credited twice.
    static let repairJob = "The repair job credits it; by hand only without an entry. 由补单程序处理，无条目才手工补。"
    static let noAction = "Nothing. 无需处理。"
}
