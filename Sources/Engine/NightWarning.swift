public import Domain

/// What a person should hear about a night besides its report.
public enum NightWarning: Hashable, Sendable {
    /// Rejected rows of credits files name orders or transactions that a machine would have credited. `place` is the
    /// first row's file and line.
    case creditsWithheld(count: Int, place: String)
    /// Acknowledgements whose keys were never given out.
    case unknownAcknowledgements(count: Int, key: String, place: String)
    /// The night is guarded; why.
    case guarded(String)
    /// The circuit breaker holds the retry manifest; why.
    case manifestHeld(String)
    /// More than `limit` orders carry a token that should be of one order.
    case crowdedToken(Token, limit: Int)
}
