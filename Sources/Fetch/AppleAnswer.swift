/// What Apple answered about one id. `reconcile-fetch` writes it as a line, and `reconcile ask` reads it.
public struct AppleAnswer: MemberRecord, Equatable, Sendable {
    /// The id as asked.
    public var id: String
    /// Whether it is the order id of Apple's e-mail.
    public var isOrder: Bool
    /// The row for the feed of `apple.asked` or `apple.orders`. Nil if nothing is kept.
    public var row: String?
    /// The signed transactions (JWS); none if Apple knows nothing.
    public var signed: [String]

    public static var blank: AppleAnswer { AppleAnswer(id: "", isOrder: false, signed: []) }

    public mutating func describe(_ members: inout Members) {
        members.value("id", &id)
        members.flag("isOrder", &isOrder)
        members.value("row", &row)
        members.list("signed", &signed)
    }

    /// Whether an id can be a transaction's. All others are taken for order ids.
    static func isTransaction(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
