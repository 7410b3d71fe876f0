internal import Domain

/// Rejected rows of credits files, searchable by the identifiers they mention. Such a row may mean that goods were
/// given.
public struct RejectedCredits {
    /// For each word in its plain spelling, `file:line` of the first row that contains it.
    private var words: [String: String] = [:]
    private var rows: [(text: String, place: String)] = []
    /// `file:line` of the first row that cannot be searched, because its text was deleted, cut, or is in another
    /// encoding. Nil if all can.
    public private(set) var unreadable: String?

    public init(_ rows: [RejectedCredit] = []) {
        for row in rows { add(row) }
    }

    /// Adds a row.
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

    /// Whether no row was added.
    public var isEmpty: Bool { rows.isEmpty }

    /// `file:line` of a row that mentions one of these identifiers in any spelling. Nil if none does.
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

    /// Rejected rows are stored up to this many bytes.
    private static let cut = 4096

    private static func isBetweenWords(_ character: Character) -> Bool {
        character.isWhitespace || ",;:|\"'{}[]\\".contains(character)
    }
}

/// A rejected row of a credits file.
public struct RejectedCredit: Sendable {
    /// The file's name.
    public var source: String
    /// The line on which the row begins, counted from 1.
    public var line: Int
    /// The row as read, cut at 4 KiB. Empty if its text was deleted since.
    public var row: [UInt8]

    public init(source: String, line: Int, row: [UInt8]) {
        self.source = source
        self.line = line
        self.row = row
    }
}
