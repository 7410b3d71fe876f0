internal import Domain
internal import JSON
internal import Text

/// Why a row cannot be used.
struct RowFault: Error {
    /// The faulty column; nil if the row as a whole is at fault.
    var column: Column?
    /// What is wrong and what would be right, for the operator.
    var reason: String
    /// Whether the row has fewer fields than the header.
    var lacksFields = false

    init(_ column: Column?, _ reason: String) {
        self.column = column
        self.reason = reason
    }
}

/// Gives access to one row at a time, by column. This is the only place that handles the raw bytes of rows. Use one per
/// thread.
struct RowReader: ~Copyable {
    let feed: Feed
    /// Unknown member names in JSON rows, at most `Header.columnsMax`.
    private(set) var ignored: Set<String> = []
    var identifiers = IdentifierCache()
    /// Scratch space for the canonical content of a receipt.
    var canonical = ByteBuffer()

    /// The words that the feed uses for an order's status.
    let statuses: Vocabulary<OrderStatus>

    private let map: ColumnMap
    let known: [Column]
    /// The text of each column, by raw value. Points into the row or into `scratch`.
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

    /// The text of a column; empty if it has none. Valid until the next row is read.
    @inline(__always)
    func text(_ column: Column) -> UnsafeRawBufferPointer { fields[column.rawValue] }

    /// Reads `row`, a line of JSON. Its bytes must stay valid while the row is used.
    mutating func readJSON(_ row: UnsafeRawBufferPointer) throws(RowFault) {
        for column in known { fields[column.rawValue] = UnsafeRawBufferPointer(start: nil, count: 0) }
        scratch.begin(row.count)
        var order = MemberOrder<Column?>()
        swap(&order, &self.order)
        defer { swap(&order, &self.order) }
        do {
            var strangers = 0
            try JSONReader.forEachMember(of: row, in: &order, meaning: { column($0) }) { column, value in
                guard let column else {
                    strangers += 1
                    guard strangers <= Header.columnsMax else {
                        throw RowFault(
                            nil,
                            "has more than \(Header.columnsMax) unknown members; export only those that the feed needs")
                    }
                    return
                }
                guard text(column).baseAddress == nil else { throw RowFault(column, "occurs twice; write it once") }
                fields[column.rawValue] = try text(of: value, column)
            }
        } catch let error as JSONError {
            throw RowFault(nil, "not a valid JSON object: at byte \(error.offset + 1): \(error.reason)")
        } catch {
            throw error as? RowFault ?? RowFault(nil, "cannot be read")
        }
    }

    /// The column that a member name stands for; nil if unknown, which is remembered.
    private mutating func column(_ key: JSONText) -> Column? {
        let name = key.string
        let column = map.column(named: name)
        if column == nil, ignored.count < Header.columnsMax { ignored.insert(name) }
        return column
    }

    /// The text of a JSON value. `response` may be an object; no other column may.
    private mutating func text(of value: JSONValue, _ column: Column) throws(RowFault) -> UnsafeRawBufferPointer {
        switch value {
        case .string(let text):
            guard text.hasEscapes else { return text.raw }
            return text.withUnescaped { scratch.append($0) }
        case .number(let text): return text
        case .bool(let flag): return ScratchBuffer.constant(flag ? "true" : "false")
        case .null: return UnsafeRawBufferPointer(start: nil, count: 0)
        case .object(let text) where column == .response: return text
        case .object, .array: throw RowFault(column, "is an object or a list; write a text or a number")
        }
    }

    /// Reads `row`, a CSV or TSV record without line ending and with balanced quotes.
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
                "has \(number) fields, but the header has \(header.slots.count); quote fields that contain the separator"
            )
            fault.lacksFields = number < header.slots.count
            throw fault
        }
    }

    /// The column names in a header row.
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

    /// The text inside a quoted field, with doubled quotes undone.
    private mutating func unquoted(_ field: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let inner = field.part(1, field.count - 1)
        guard inner.position(of: Framing.quote, from: 0) != nil else { return inner }
        return scratch.append(undoubling: inner)
    }
}

/// A growing byte buffer whose memory is reused.
struct ByteBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
    private var count = 0

    deinit { memory.deallocate() }

    /// The content. Valid until the next change.
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

/// Memory for texts of one row that differ from the bytes in the row (escapes undone). Never more than the row's own
/// length.
struct ScratchBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)
    private var count = 0
    private var capacity = 0

    deinit { memory.deallocate() }

    /// Starts a new row of `rowBytes` bytes. Texts of the previous row become invalid.
    mutating func begin(_ rowBytes: Int) {
        count = 0
        capacity = rowBytes
    }

    /// Copies `text`. The result is valid until `begin`.
    mutating func append(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        reserve()
        let place = UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + text.count])
        place.copyMemory(from: text)
        count += text.count
        return UnsafeRawBufferPointer(place)
    }

    /// Like `append`, with each doubled quote replaced by a single one.
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

    /// Allocates only at the first text of a row, so that texts already handed out do not move.
    private mutating func reserve() {
        guard count == 0, memory.count < capacity else { return }
        memory.deallocate()
        memory = .allocate(byteCount: capacity, alignment: 1)
    }

    /// A constant text as bytes.
    static func constant(_ text: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
