internal import Engine

extension NightWarning {
    /// For the log: what is wrong, and what to do.
    var text: String {
        switch self {
        case .creditsWithheld(let count, let place):
            "\(count) credits are withheld: rejected rows of credits files name their orders or transactions, the first is "
                + "\(place). Have the rows delivered correctly"
        case .unknownAcknowledgements(let count, let key, let place):
            "\(count) acknowledgements have a key that was never given out, the first is \(quoted(key)) (\(place)). See that "
                + "the consumer returns `key` as it was"
        case .guarded(let reason):
            "the night is guarded: \(reason). Look at these files and purchases. Deliver what is missing, or let it pass: "
                + "'reconcile release --held'"
        case .manifestHeld(let reason):
            "the retry manifest is held: \(reason). Look at held.jsonl, then 'reconcile release --held' or by key"
        case .crowdedToken(let token, let limit):
            "more than \(limit) orders carry the token \(token.text), which should be of one order: it links no order to a "
                + "payment any more. Have the client make a new token for each order, or set app.appAccountToken to "
                + "\"account\"."
        }
    }
}
