public import Domain

/// What was done about an exception: by nights, by people and by the consumer of the retry manifest.
public protocol RepairHistory {
    /// The events of an exception, oldest first.
    func history(ofException id: ExceptionID) throws -> [LookupException.Step]
    /// Whether the consumer ever acknowledged under one of these keys that it gave the goods.
    func wasApplied(_ keys: Set<String>) throws -> Bool
    /// Whether the consumer ever acknowledged one of these keys.
    func wasAnswered(_ keys: Set<String>) throws -> Bool
}
