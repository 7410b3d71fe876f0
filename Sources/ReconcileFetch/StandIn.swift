internal import Base
internal import Console

/// A server on this machine that stands in for Apple's in tests and in the demonstration. `RECONCILE_APPLE_STANDIN` names it:
/// `https://127.0.0.1:8443 /path/of/its-ca.pem`.
///
/// Only the loopback addresses are accepted, as numbers, so that the variable can never send a token to another machine. What
/// a stand-in answers is verified like all else: without a configured root of its own it proves nothing.
struct StandIn {
    let address: String
    /// The certificates (PEM) that are trusted instead of the system's.
    let authority: String
}

extension StandIn {
    /// Nil if the variable is not set.
    init?(_ variables: [String: String]) throws(Failure) {
        guard let text = variables["RECONCILE_APPLE_STANDIN"], !text.isEmpty else { return nil }
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let isLoopback = ["https://127.0.0.1:", "https://[::1]:"].contains { prefix in
            guard let address = words.first, address.hasPrefix(prefix) else { return false }
            return UInt16(address.dropFirst(prefix.count)) != nil
        }
        guard words.count == 2, isLoopback else {
            throw Failure(
                .configuration, "RECONCILE_APPLE_STANDIN is \(quoted(text)), which is not a stand-in on this machine",
                remedy: "Unset it: it is for tests, and takes 'https://127.0.0.1:PORT CA-FILE' only.")
        }
        self.init(address: words[0], authority: words[1])
    }
}
