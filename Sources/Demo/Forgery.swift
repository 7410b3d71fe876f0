internal import Base

/// A forged Apple signature. No key signs it.
enum Forgery: String {
    /// The old trick: a header that says that no signature is needed.
    case unsigned = #"{"alg":"none"}"#
    /// Two certificates of the forger in place of Apple's three.
    case ownChain = #"{"alg":"ES256","x5c":["Zm9yZ2VkIGxlYWY=","Zm9yZ2VkIHJvb3Q="]}"#

    /// A compact JWS that claims `transaction`.
    func jws(claiming transaction: Transaction) -> String {
        let parts = [Array(rawValue.utf8), Array(transaction.payload.utf8), [UInt8](repeating: 7, count: 64)]
        return parts.map(base64url).joined(separator: ".")
    }
}
