/// Measures the stages of a computation and shows their progress.
public protocol StageTimer {
    /// Runs one stage. `body` counts its work as it goes on.
    ///
    /// - Parameters:
    ///   - stage: its name for people, such as `match`.
    ///   - unit: what it counts, such as `cases`.
    func time<Result>(_ stage: String, of unit: String, _ body: (WorkCount) throws -> Result) rethrows -> Result
}

/// A timer that measures nothing.
public struct Untimed: StageTimer {
    public init() {}

    public func time<Result>(
        _ stage: String, of unit: String, _ body: (WorkCount) throws -> Result
    ) rethrows -> Result {
        try body(WorkCount())
    }
}
