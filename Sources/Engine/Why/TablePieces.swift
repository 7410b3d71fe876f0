/// Names a table: its purchases have this date, and their cases are in this block. A night writes a table again only if
/// one of the table's purchases changed.
public struct TableKey: Hashable, Comparable, Sendable {
    public var date: BusinessDate
    public var block: Int64

    /// A block has this many consecutive case numbers. In a larger block, one changed case would make the night write more
    /// rows again. In a smaller one, the names of values would take more room than the rows.
    public static let casesPerBlock: Int64 = 1 << 14

    public init(_ date: BusinessDate, block: Int64) {
        self.date = date
        self.block = block
    }

    init(_ date: BusinessDate, of caseID: CaseID) { self.init(date, block: Self.block(of: caseID)) }

    static func block(of caseID: CaseID) -> Int64 { caseID.rawValue / casesPerBlock }

    static func blocks(of cases: Range<CaseID>) -> Set<Int64> {
        Set(block(of: cases.lowerBound)...block(of: cases.upperBound.advanced(by: -1)))
    }

    public static func < (left: Self, right: Self) -> Bool { (left.block, left.date) < (right.block, right.date) }
}

extension TableKey: Mixed {
    public var mixed: UInt64 { mix(UInt64(bitPattern: block) << 32 ^ UInt64(bitPattern: Int64(date.day))) }
}

/// A table as the ledger keeps it.
public struct EncodedTable: Hashable, Sendable {
    /// Empty for a table without a row.
    public var bytes: [UInt8]
    /// How long its customers waited, kept beside it: the delays of many dates are read without their tables.
    public var delays: DelayHistogram

    public init(bytes: [UInt8], delays: DelayHistogram) {
        self.bytes = bytes
        self.delays = delays
    }

    init(_ table: consuming DateTable) {
        let delays = table.delays
        self.init(bytes: table.rows == 0 ? [] : table.encode(), delays: delays)
    }

    static let empty = EncodedTable(bytes: [], delays: DelayHistogram())

    /// A table of these bytes.
    /// - Throws: `DamagedBytes`.
    init(of date: BusinessDate, decoding bytes: [UInt8]) throws(DamagedBytes) {
        self.init(bytes: bytes, delays: try DateTable(of: date, decoding: bytes).delays)
    }

    /// - Parameter wanted: the only columns whose rows are read; nil for all of them.
    /// - Throws: `EngineError` where the bytes are damaged.
    func table(of date: BusinessDate, only wanted: Set<Int>? = nil) throws(EngineError) -> DateTable {
        do {
            return bytes.isEmpty ? DateTable(of: date) : try DateTable(of: date, decoding: bytes, only: wanted)
        } catch {
            throw .damaged("the purchases counted for \(date.text) are not what was written")
        }
    }

    fileprivate func cases(of date: BusinessDate) throws(EngineError) -> [CaseID] {
        do { return bytes.isEmpty ? [] : try DateTable.cases(in: bytes) } catch {
            throw .damaged("the purchases counted for \(date.text) are not what was written")
        }
    }
}

/// A part of a table's purchases.
enum TablePiece: Sendable {
    /// As they were counted.
    case counted(PurchaseRows)
    /// As another part of the night wrote them.
    case encoded(EncodedTable)

    /// - Throws: `EngineError` where the bytes are damaged.
    func table(of date: BusinessDate) throws(EngineError) -> DateTable {
        switch self {
        case .counted(let purchases): DateTable(of: date, purchases)
        case .encoded(let table): try table.table(of: date)
        }
    }

    func encoded(of date: BusinessDate) -> EncodedTable {
        switch self {
        case .counted(let purchases): EncodedTable(DateTable(of: date, purchases))
        case .encoded(let table): table
        }
    }

    var delays: DelayHistogram {
        switch self {
        case .counted(let purchases): purchases.delays
        case .encoded(let table): table.delays
        }
    }

    fileprivate func cases(of date: BusinessDate) throws(EngineError) -> [CaseID] {
        switch self {
        case .counted(let purchases): purchases.rows.map(\.caseID)
        case .encoded(let table): try table.cases(of: date)
        }
    }
}

/// The purchases of some judged cases, as pieces of tables.
public struct TablePieces: Sendable {
    private(set) var tables: [TableKey: [TablePiece]]

    init(tables: [TableKey: [TablePiece]] = [:]) { self.tables = tables }

    mutating func append(_ other: TablePieces) { tables.merge(other.tables, uniquingKeysWith: +) }

    /// The whole tables that tonight's cases change, ready to be kept; empty where no row is left.
    ///
    /// - Parameters:
    ///   - stored: the tables on record of all blocks that hold a changed case; none if every case was judged.
    ///   - judged: the cases on record that were judged again: their rows are these pieces' now.
    func merged(
        with stored: [TableKey: EncodedTable], judged: Set<CaseID>, changed: ChangedCases, threads: Int
    ) throws -> [TableKey: EncodedTable] {
        let keys = Set(tables.keys).union(stored.keys).filter { changed.touch(block: $0.block) }.ordered()
        let merged = concurrently(threads: threads, keys.count) { index in
            Result { try merge(keys[index], with: stored[keys[index]], judged: judged, changed: changed) }
        }
        var whole: [TableKey: EncodedTable] = [:]
        for (key, table) in zip(keys, merged) {
            if let table = try table.get() { whole[key] = table }
        }
        return whole
    }

    /// Nil if nothing changes.
    private func merge(
        _ key: TableKey, with stored: EncodedTable?, judged: Set<CaseID>, changed: ChangedCases
    ) throws -> EncodedTable? {
        let pieces = tables[key] ?? []
        var table = DateTable(of: key.date)
        if let stored {
            let isTouched = try ([.encoded(stored)] + pieces).contains {
                try $0.cases(of: key.date).contains(where: changed.contains)
            }
            if !isTouched { return nil }
            table = try stored.table(of: key.date)
            table.remove(judged)
        } else if pieces.count == 1 {
            return pieces[0].encoded(of: key.date)
        }
        for piece in pieces {
            switch piece {
            case .counted(let purchases): table.add(purchases)
            case .encoded(let other): table.add(try other.table(of: key.date))
            }
        }
        let whole = EncodedTable(table)
        return whole == stored ? nil : whole
    }
}

/// The cases whose purchases may differ from those on record.
struct ChangedCases: Sendable {
    /// Of the cases on record.
    private let known: Set<CaseID>
    /// This and all higher numbers are those of new cases.
    private let firstNew: CaseID
    /// The blocks of these cases that may have tables on record.
    let blocks: Set<Int64>

    /// - Parameter firstNew: 0 if every case was judged again.
    init(known: Set<CaseID>, firstNew: CaseID) {
        self.known = known
        self.firstNew = firstNew
        blocks = Set(known.map(TableKey.block)).union([TableKey.block(of: firstNew)])
    }

    func contains(_ caseID: CaseID) -> Bool { caseID >= firstNew || known.contains(caseID) }
    func touch(block: Int64) -> Bool { block > TableKey.block(of: firstNew) || blocks.contains(block) }
}
