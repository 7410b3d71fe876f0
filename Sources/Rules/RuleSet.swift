/// The rules as a whole.
public enum RuleSet {
    /// Raise it with every change that gives some evidence another verdict, cause, flag, amount or action, and whenever
    /// a verdict or a cause is added.
    ///
    /// Each run stores the version it judged by. A night whose version is higher judges every case again; a program whose
    /// version is lower refuses the ledger.
    public static let version = 27
}
