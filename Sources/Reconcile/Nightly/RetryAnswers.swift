internal import Domain
internal import Ledger

/// Tonight's answers of the retry manifest's consumer: those that say something new, and those known already.
struct Answers {
    private(set) var fresh: [Acknowledgement] = []
    private(set) var repeated: [Acknowledgement] = []

    /// - Parameter ledger: nil in the first night.
    init(_ answers: [Acknowledgement], ledger: Ledger?) throws {
        struct Content: Hashable {
            var key: [UInt8]
            var outcome: AckOutcome
            var at: Instant
            var message: [UInt8]?
        }
        var seen = Set<Content>()
        for answer in answers {
            let content = Content(
                key: Array(answer.key.utf8), outcome: answer.outcome, at: answer.at,
                message: answer.message.map { Array($0.utf8) })
            let isFirst = seen.insert(content).inserted
            let isNew = try isFirst && ledger?.knows(answer) != true
            if isNew { fresh.append(answer) } else { repeated.append(answer) }
        }
    }
}
