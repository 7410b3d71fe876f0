public import Domain

/// Tonight's answers of the retry manifest's consumer: those that say something new, and those known already.
public struct Answers: Sendable {
    public private(set) var fresh: [Acknowledgement] = []
    public private(set) var repeated: [Acknowledgement] = []

    /// - Parameter isKnown: whether an earlier night read the same answer.
    public init(_ answers: [Acknowledgement], isKnown: (Acknowledgement) throws -> Bool) rethrows {
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
            let isNew = try isFirst && !isKnown(answer)
            if isNew { fresh.append(answer) } else { repeated.append(answer) }
        }
    }
}
