/// Times the stages of a computation and shows their progress.
public protocol StageTimer {
    /// Runs a stage, which counts its work as it goes on.
    ///
    /// - Parameters:
    ///   - stage: its name, for people: `match`.
    ///   - unit: what it counts: `cases`.
    func time<Result>(_ stage: String, of unit: String, _ body: (WorkCount) throws -> Result) rethrows -> Result
}

/// Times nothing.
public struct Untimed: StageTimer {
    public init() {}

    public func time<Result>(
        _ stage: String, of unit: String, _ body: (WorkCount) throws -> Result
    ) rethrows -> Result {
        try body(WorkCount())
    }
}
