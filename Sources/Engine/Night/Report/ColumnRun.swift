/// Since when something looks wrong, and how often it was right for less than a week in between.
public struct DoubtSpan: Hashable, Sendable, Codable {
    /// The first night that found it, or found it again.
    var since: BusinessDate
    /// The first night since then that found it right; nil while it stands.
    var ended: BusinessDate?
    var returns = 0

    /// The night reports a doubt for this many nights, and forgets it after as many nights without it.
    private static let nights = 7
    /// A doubt that has come back this often is normal for the feed. The night reports it once more.
    private static let returnsMost = 3

    public var stands: Bool { ended == nil }

    func isTold(on date: BusinessDate) -> Bool {
        stands && returns <= Self.returnsMost
            && date < since.advanced(by: returns < Self.returnsMost ? Self.nights : 1)
    }

    /// The span after a night that found it wrong, or right. Nil: the night could not look, and the doubt stays as it was.
    static func updated(_ former: Self?, isWrong: Bool?, on date: BusinessDate) -> Self? {
        guard let isWrong else { return former }
        guard let former, former.ended.map({ date < $0.advanced(by: nights) }) ?? true else {
            return isWrong ? Self(since: date) : nil
        }
        guard isWrong else {
            return Self(since: former.since, ended: former.ended ?? date, returns: former.returns)
        }
        guard let ended = former.ended else { return former }
        return Self(since: date, returns: former.returns + (ended < date ? 1 : 0))
    }
}

/// How the files of a feed have had a column.
public struct ColumnRun: Hashable, Sendable {
    /// In how many files in a row the header named it, at most `usual`.
    private var named = 0
    /// The files and rows up to the last one with a value, and how many of them had one. Old ones weigh less and less.
    private var files = 0
    private var filesFilled = 0
    private var rows = 0
    private var rowsFilled = 0
    /// The files and rows since then.
    private var filesEmpty = 0
    private var rowsEmpty = 0
    /// Since when it is lost; nil if it is not and was not lately.
    private var loss: DoubtSpan?

    /// After this many files with a column, later files are expected to have it.
    private static let usual = 3
    /// How many values so many rows would usually have, and how improbable it must be that so many files have none.
    private static let (missedMin, chanceMax) = (10, 0.001)
    /// Beyond so many, rows and files of the past are halved.
    private static let (rowsMost, filesMost) = (100, 56)
    /// Columns that a row leaves out where it means the default. It is usual that few rows have them.
    private static let defaulted: Set = [kind, "origin", "quantity"]

    /// The column that tells reversals from credits.
    public static let kind = "kind"

    /// The files before had the column, and the last one has not.
    public var isLost: Bool { loss?.stands == true }
    func isTold(on date: BusinessDate) -> Bool { loss?.isTold(on: date) == true }
    /// The files came without it, or without any value.
    var isAbsent: Bool { filesFilled == 0 && (filesEmpty > 0 || named == 0) }

    /// Whether the files before had a value in most rows.
    private var isUsual: Bool { filesFilled >= Self.usual && rowsFilled * 2 >= rows }

    /// Whether a file without the name in its header, or with rows of which none has a value, lacks what the files before
    /// had. This does not wait for enough rows to be sure.
    public func mayLack(_ sample: RowSample, _ column: String) -> Bool {
        if sample.unread.contains(column) { return false }
        if sample.named?.contains(column) == false { return named >= Self.usual && filesFilled > 0 }
        return sample.rows > 0 && sample.filled[column] == 0 && isUsual && rowsFilled >= Self.missedMin
    }

    /// Adds a file, or several of one night. A list may never change, so one file shows its columns.
    mutating func add(_ sample: RowSample, _ column: String, on date: BusinessDate, isList: Bool = false) {
        let isUnnamed = sample.named?.contains(column) == false
        if sample.named?.contains(column) == true { named = isList ? Self.usual : min(named + 1, Self.usual) }
        if let count = sample.filled[column], sample.rows > 0 { add(rows: sample.rows, filled: count) }
        // A column that never had a value is not lost. Values of labels are not counted.
        let isKnown = filesFilled > 0 || filesEmpty == 0
        let isLost = isUnnamed && named == Self.usual && isKnown || isMissed(Self.defaulted.contains(column))
        let isShown = sample.named != nil || sample.rows > 0
        loss = DoubtSpan.updated(loss, isWrong: isShown ? isLost : nil, on: date)
        if isUnnamed, !isLost { named = 0 }
    }

    private mutating func add(rows count: Int, filled: Int) {
        guard filled > 0 else { return (filesEmpty, rowsEmpty) = (filesEmpty + 1, rowsEmpty + count) }
        while rows > Self.rowsMost { (rows, rowsFilled) = (rows / 2, rowsFilled / 2) }
        if files > Self.filesMost { (files, filesFilled) = (files / 2, filesFilled / 2) }
        // Files without a column that is lost do not count, or the column would seem rare.
        if isLost { (filesEmpty, rowsEmpty) = (0, 0) }
        (files, rows) = (files + filesEmpty + 1, rows + rowsEmpty + count)
        (filesFilled, rowsFilled) = (filesFilled + 1, rowsFilled + filled)
        (filesEmpty, rowsEmpty) = (0, 0)
    }

    /// Whether chance would not leave as many rows or files without a value.
    private func isMissed(_ isDefaulted: Bool) -> Bool {
        if filesEmpty == 0 || filesFilled < Self.usual { return false }
        if isUsual, rowsFilled * rowsEmpty >= Self.missedMin * (rows + 2) { return true }
        if isDefaulted { return false }
        let empty = 1 - Double(filesFilled) / Double(files + 2)
        return (0..<filesEmpty).reduce(1.0) { chance, _ in chance * empty } <= Self.chanceMax
    }
}

/// As a list of numbers: each night's report keeps dozens.
extension ColumnRun: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        for field in Self.fields { self[keyPath: field] = try list.decode(Int.self) }
        if list.isAtEnd { return }
        loss = DoubtSpan(since: BusinessDate(day: try list.decode(Int32.self)))
        if list.isAtEnd { return }
        loss?.ended = try list.decode(Int32?.self).map(BusinessDate.init(day:))
        loss?.returns = try list.decode(Int.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for field in Self.fields { try list.encode(self[keyPath: field]) }
        guard let loss else { return }
        try list.encode(loss.since.day)
        if loss.stands, loss.returns == 0 { return }
        try list.encode(loss.ended?.day)
        try list.encode(loss.returns)
    }

    private static var fields: [WritableKeyPath<ColumnRun, Int>] {
        [\.named, \.files, \.filesFilled, \.rows, \.rowsFilled, \.filesEmpty, \.rowsEmpty]
    }
}
