internal import Domain

/// Rows of credits files that could not be used, by what they mention: goods may have been given by them.
public struct RejectedCredits {
    /// `file:line` of the first row that holds each word, in its plain spelling.
    private var words: [String: String] = [:]
    private var rows: [(text: String, place: String)] = []
    /// `file:line` of the first row that cannot be searched: forgotten, cut, or in another encoding.
    public private(set) var unreadable: String?

    public init(_ rows: [RejectedCredit] = []) {
        for row in rows { add(row) }
    }

    public mutating func add(_ rejected: RejectedCredit) {
        let place = "\(rejected.source):\(rejected.line)"
        let text = String(decoding: rejected.row, as: UTF8.self)
        if rejected.row.isEmpty || rejected.row.count >= Self.cut || rejected.row.contains(0) || text.contains("\\u") {
            unreadable = unreadable ?? place
        }
        for word in text.split(whereSeparator: Self.isBetweenWords) {
            let plain = plainSpelling(of: word)
            if !plain.isEmpty, words[plain] == nil { words[plain] = place }
        }
        rows.append((text.lowercased(), place))
    }

    public var isEmpty: Bool { rows.isEmpty }

    /// `file:line` of a row that mentions one of the ids, in any spelling; nil where none does.
    public func place(mentioning ids: [String]) -> String? {
        for id in ids {
            let plain = plainSpelling(of: id)
            if plain.isEmpty { continue }
            if let place = words[plain] { return place }
            if plain.contains(where: Self.isBetweenWords), let row = rows.first(where: { $0.text.contains(plain) }) {
                return row.place
            }
        }
        return nil
    }

    /// Rejected rows are kept up to that many bytes.
    private static let cut = 4096

    private static func isBetweenWords(_ character: Character) -> Bool {
        character.isWhitespace || ",;:|\"'{}[]\\".contains(character)
    }
}

/// A row of a credits file that could not be used.
public struct RejectedCredit: Sendable {
    public var source: String
    public var line: Int
    /// The row as read, cut at 4 KiB; empty where it was forgotten.
    public var row: [UInt8]

    public init(source: String, line: Int, row: [UInt8]) {
        self.source = source
        self.line = line
        self.row = row
    }
}
