internal import Domain
internal import Scan

/// Why a row cannot be used.
struct RowFault: Error {
    /// Nil where it is the row as a whole.
    var column: Column?
    /// What is wrong and what would be right.
    var reason: String
    /// It has fewer fields than the header.
    var lacksFields = false

    init(_ column: Column?, _ reason: String) {
        self.column = column
        self.reason = reason
    }
}

/// One row at a time, by column: the one place where rows are bytes. One a thread.
struct RowReader: ~Copyable {
    let feed: Feed
    /// Names in JSON rows that stand for no column, by what they are.
    private(set) var ignored: Set<String> = []
    var identifiers = IdentifierCache()
    /// A receipt's content, in the making.
    var canonical = ByteBuffer()

    let statuses: Vocabulary<OrderStatus>

    private let map: ColumnMap
    let known: [Column]
    /// By column.
    private let fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    private var scratch = ScratchBuffer()
    private var order = MemberOrder<Column?>()

    init(_ feed: Feed) {
        self.feed = feed
        statuses = Vocabulary.statuses(of: feed)
        map = ColumnMap(feed)
        known = Column.all(of: feed.kind)
        fields = .allocate(capacity: Column.allCases.count)
        fields.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
    }

    deinit { fields.deallocate() }

    /// The text of a column, empty where it has none. Valid until the next row is read.
    @inline(__always)
    func text(_ column: Column) -> UnsafeRawBufferPointer { fields[column.rawValue] }

    /// Takes `row`, a line of JSON. Its bytes must stay where they are while the row is used.
    mutating func readJSON(_ row: UnsafeRawBufferPointer) throws(RowFault) {
        for column in known { fields[column.rawValue] = UnsafeRawBufferPointer(start: nil, count: 0) }
        scratch.begin(row.count)
        var order = MemberOrder<Column?>()
        swap(&order, &self.order)
        defer { swap(&order, &self.order) }
        do {
            var strangers = 0
            try JSON.forEachMember(of: row, in: &order, meaning: { column($0) }) { column, value in
                guard let column else {
                    strangers += 1
                    guard strangers <= Header.columnsMax else {
                        throw RowFault(nil, "has more than \(Header.columnsMax) members that the feed does not know")
                    }
                    return
                }
                guard text(column).baseAddress == nil else { throw RowFault(column, "given twice; give it once") }
                fields[column.rawValue] = try text(of: value, column)
            }
        } catch let error as JSONError {
            throw RowFault(nil, "no valid JSON object: at byte \(error.offset + 1): \(error.reason)")
        } catch {
            throw error as? RowFault ?? RowFault(nil, "cannot be read")
        }
    }

    private mutating func column(_ key: JSONText) -> Column? {
        let name = key.string
        let column = map.column(named: name)
        if column == nil, ignored.count < Header.columnsMax { ignored.insert(name) }
        return column
    }

    private mutating func text(of value: JSONValue, _ column: Column) throws(RowFault) -> UnsafeRawBufferPointer {
        switch value {
        case .string(let text):
            guard text.hasEscapes else { return text.raw }
            return text.withUnescaped { scratch.append($0) }
        case .number(let text): return text
        case .bool(let flag): return ScratchBuffer.constant(flag ? "true" : "false")
        case .null: return UnsafeRawBufferPointer(start: nil, count: 0)
        case .object(let text) where column == .response: return text
        case .object, .array: throw RowFault(column, "is an object or a list; give a text or a number")
        }
    }

    /// Takes `row`, a record of CSV or TSV without its line ending, whose quotes add up.
    mutating func readFields(_ row: UnsafeRawBufferPointer, _ header: Header, _ framing: Framing) throws(RowFault) {
        scratch.begin(row.count)
        let delimiter = framing.delimiter!
        var next: Int? = 0
        var number = 0
        while let start = next {
            let isQuoted = start < row.count && row[start] == Framing.quote
            let end = isQuoted ? framing.fieldEnd(row, from: start)!.index : row.position(of: delimiter, from: start)
            if number < header.slots.count, case let slot = Int(header.slots[number]), slot >= 0 {
                let field = row.part(start, end ?? row.count)
                fields[slot] = isQuoted ? unquoted(field) : field
            }
            number += 1
            next = end.flatMap { $0 < row.count ? $0 + 1 : nil }
        }
        guard number == header.slots.count else {
            var fault = RowFault(
                nil,
                "has \(number) fields where the header has \(header.slots.count); quote fields that hold the separator"
            )
            fault.lacksFields = number < header.slots.count
            throw fault
        }
    }

    /// The names in a header.
    mutating func names(_ row: UnsafeRawBufferPointer, _ framing: Framing) -> [String] {
        scratch.begin(row.count)
        var names: [String] = []
        var start = 0
        while names.count <= Header.columnsMax, let (end, _) = framing.fieldEnd(row, from: start) {
            let isQuoted = start < row.count && row[start] == Framing.quote
            let name = row.part(start, end)
            names.append(String(decoding: isQuoted ? unquoted(name) : name, as: UTF8.self))
            guard end < row.count else { break }
            start = end + 1
        }
        return names
    }

    private mutating func unquoted(_ field: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let inner = field.part(1, field.count - 1)
        guard inner.position(of: Framing.quote, from: 0) != nil else { return inner }
        return scratch.append(undoubling: inner)
    }
}

/// Bytes put together, in memory that is used again.
struct ByteBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
    private var count = 0

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    mutating func removeAll() { count = 0 }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > memory.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + more), alignment: 8)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}

/// Memory for the texts of one row that are not in the row as they are: no more than the row itself has.
struct ScratchBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)
    private var count = 0
    private var capacity = 0

    deinit { memory.deallocate() }

    /// Forgets the row before; none of its texts may be used any more.
    mutating func begin(_ rowBytes: Int) {
        count = 0
        capacity = rowBytes
    }

    mutating func append(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        reserve()
        let place = UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + text.count])
        place.copyMemory(from: text)
        count += text.count
        return UnsafeRawBufferPointer(place)
    }

    /// As `append`, each doubled quote made one.
    mutating func append(undoubling text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        reserve()
        let start = count
        var index = 0
        while index < text.count {
            memory[count] = text[index]
            count += 1
            index += text[index] == Framing.quote ? 2 : 1
        }
        return UnsafeRawBufferPointer(rebasing: memory[start..<count])
    }

    /// Only at a row's first text that needs memory: texts handed out stay where they are.
    private mutating func reserve() {
        guard count == 0, memory.count < capacity else { return }
        memory.deallocate()
        memory = .allocate(byteCount: capacity, alignment: 1)
    }

    static func constant(_ text: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
