extension RowReader {
    /// The acknowledgement of a retry entry in the current row.
    mutating func acknowledgement(_ source: Provenance) throws(RowFault) -> Acknowledgement {
        guard let key = value(.key) else { throw absent(.key) }
        guard let outcome = try word(.outcome, Words.outcomes) else { throw absent(.outcome) }
        return Acknowledgement(
            key: String(decoding: key, as: UTF8.self), outcome: outcome, at: try requiredInstant(.at),
            message: value(.message).map { String(decoding: $0, as: UTF8.self) }, source: source)
    }
}
