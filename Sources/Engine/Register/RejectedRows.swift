/// Rejected rows of credits, orders and transactions, searchable by the identifiers they mention. Such a row may mean
/// that goods were given or that money was paid back. See docs/spec/rules.md#withheld-entries.
public struct RejectedRows {
    private struct Place {
        var text: String
        /// The end of the file's date. A row speaks about what happened until then.
        var end: Instant
        var isCredit: Bool
    }
    private let zone: Zone
    /// For each word in its plain spelling, the rows that contain it.
    private var words: [String: [Int]] = [:]
    private var rows: [(text: String, place: Place)] = []
    /// The rows of credits files that cannot be searched, because their text was deleted, cut, or is in another
    /// encoding.
    private var unreadable: [Place] = []

    public init(_ rows: [RejectedRow] = [], zone: Zone) {
        self.zone = zone
        for row in rows { add(row) }
    }

    public mutating func add(_ rejected: RejectedRow) {
        let place = Place(
            text: "\(rejected.source):\(rejected.line)", end: zone.end(of: rejected.date),
            isCredit: rejected.kind == .credits)
        let text = String(decoding: rejected.row, as: UTF8.self)
        let isCut = rejected.row.isEmpty || rejected.row.count >= Self.cut
        if place.isCredit, isCut || rejected.row.contains(0) || text.contains("\\u") { unreadable.append(place) }
        for word in Set(text.split(whereSeparator: Self.isBetweenWords).map { plainSpelling(of: $0) })
        where !word.isEmpty { words[word, default: []].append(rows.count) }
        rows.append((text.lowercased(), place))
    }

    public var isEmpty: Bool { rows.isEmpty }

    /// `file:line` of a row that mentions one of these identifiers in any spelling; for a row of credits also one that
    /// mentions the owner, or that cannot be searched. Nil if none does.
    ///
    /// - Parameters:
    ///   - owner: the accounts that should have the goods.
    ///   - instant: rows of files whose date had ended by then are left out.
    public func place(mentioning ids: [String], owner: [String], since instant: Instant) -> String? {
        let isLate = { (place: Place) in place.end > instant }
        for (id, needsCredit) in ids.map({ ($0, false) }) + owner.map({ ($0, true) }) {
            let plain = plainSpelling(of: id)
            if plain.isEmpty { continue }
            let found =
                plain.contains(where: Self.isBetweenWords)
                ? rows.indices.filter { rows[$0].text.contains(plain) } : words[plain] ?? []
            let place = found.lazy.map { rows[$0].place }.first { isLate($0) && ($0.isCredit || !needsCredit) }
            if let place { return place.text }
        }
        return unreadable.first(where: isLate)?.text
    }

    /// Rejected rows are stored up to this many bytes.
    private static let cut = 4096

    private static func isBetweenWords(_ character: Character) -> Bool {
        character.isWhitespace || ",;:|\"'{}[]\\".contains(character)
    }
}

/// A rejected row of a file.
public struct RejectedRow: Sendable {
    /// The feeds whose rejected rows may concern a purchase that a machine would credit.
    public static let kinds: [FeedKind] = [.orders, .credits, .transactions]

    /// The kind of the file's feed.
    public var kind: FeedKind
    /// The file's date.
    public var date: BusinessDate
    /// The file's name.
    public var source: String
    /// The line on which the row begins, counted from 1.
    public var line: Int
    /// The row as read, cut at 4 KiB. Empty if its text was deleted since.
    public var row: [UInt8]

    public init(kind: FeedKind, date: BusinessDate, source: String, line: Int, row: [UInt8]) {
        self.kind = kind
        self.date = date
        self.source = source
        self.line = line
        self.row = row
    }
}
