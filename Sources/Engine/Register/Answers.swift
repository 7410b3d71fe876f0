/// The acknowledgements delivered tonight, separated into new ones and repetitions.
public struct Answers: Sendable {
    /// Acknowledgements that no earlier row and no earlier night contained.
    public private(set) var fresh: [Acknowledgement] = []
    /// Acknowledgements that were known already.
    public private(set) var repeated: [Acknowledgement] = []

    /// - Parameter isKnown: whether an earlier night read the same acknowledgement. Two are the same if key, outcome,
    ///   time and message are.
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
