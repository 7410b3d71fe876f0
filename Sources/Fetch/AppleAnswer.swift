internal import Base

/// What Apple answered about one id. `reconcile-fetch` writes it as a line, and `reconcile ask` reads it.
public struct AppleAnswer: Equatable, Sendable {
    /// The id as asked.
    public var id: String
    /// Whether it is the order id of Apple's e-mail.
    public var isOrder: Bool
    /// The signed transactions (JWS); none if Apple knows nothing.
    public var signed: [String]
    /// Whether the sandbox answered.
    public var isSandbox = false
    /// The row for the feed of `apple.asked` or `apple.orders`. Nil if nothing is kept.
    public var row: String?

    public init(id: String, isOrder: Bool, signed: [String], isSandbox: Bool = false, row: String? = nil) {
        self.id = id
        self.isOrder = isOrder
        self.signed = signed
        self.isSandbox = isSandbox
        self.row = row
    }

    /// Whether an id can be a transaction's. All others are taken for order ids.
    static func isTransaction(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    var line: String {
        JSON.object([
            "id": .text(id), "isOrder": .bool(isOrder), "isSandbox": .bool(isSandbox), "row": JSON(row),
            "signed": .list(signed.map { .text($0) }),
        ]).line
    }

    /// - Throws: `JSONError` if the line is not one of `line`.
    public init(line: String) throws {
        var answer = AppleAnswer(id: "", isOrder: false, signed: [])
        try Array(line.utf8).withUnsafeBytes { bytes in
            try JSONReader.forEachMember(of: bytes) { key, value in
                switch (key.string, value) {
                case ("id", .string(let text)): answer.id = text.string
                case ("isOrder", .bool(let flag)): answer.isOrder = flag
                case ("isSandbox", .bool(let flag)): answer.isSandbox = flag
                case ("row", .string(let text)): answer.row = text.string
                case ("signed", .array(let list)):
                    try JSONReader.forEachElement(of: list) { element in
                        if case .string(let text) = element { answer.signed.append(text.string) }
                    }
                default: break
                }
            }
        }
        self = answer
    }
}
