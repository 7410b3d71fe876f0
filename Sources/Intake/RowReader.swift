enum RowRole: Equatable {
    case evidence
    /// The feed's `where` does not name it.
    case leftOut
    /// It says that a record was deleted.
    case deletion
    /// The last row of the file, with the number of rows that it states, or −1 if it states none.
    case footer(Int64)
}

/// Gives access to one row at a time, by column. This is the only place that handles the raw bytes of rows. Use one per
/// thread.
struct RowReader: ~Copyable {
    let feed: Feed
    let plan: RowPlan
    /// Unknown member names in JSON rows, at most `Header.columnsMax`.
    private(set) var ignored: Set<String> = []
    /// What the current row is. Only a row of evidence is used or rejected.
    private(set) var role = RowRole.evidence
    /// The conditions for which a row had a value, one bit each.
    private(set) var conditionsSeen: UInt64 = 0
    /// How many rows had an amount and no currency.
    var amountsWithoutCurrency = 0
    /// How many credits say that they are, and how many do not say what they are.
    var (kindsSaid, kindsOmitted) = (0, 0)
    var labels: LabelReader
    var identifiers = IdentifierCache()
    /// Scratch space for the canonical content of a receipt.
    var canonical: [UInt8] = []
    /// The feed's columns, each with what stands before its text in that content.
    let known: [(column: Column, introduction: [UInt8])]

    /// The text of each slot. Points into the row, into `scratch` or into a text of the plan.
    let fields: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>
    private let isPlain: Bool
    private var scratch = ScratchBuffer()
    /// The usual order of the members, for each node of the plan.
    private var orders: [MemberOrder<RowPlan.Target>]
    /// The number of unknown members of the current row.
    private var ignoredCount = 0
    /// A fault of the current row, which counts only if the row is evidence.
    private var fault: RowFault?
    /// A value of the current row of JSON is an object or a list. What is in it is not known, but the other fields were read.
    var isNested = false

    init(_ feed: Feed, _ plan: RowPlan) {
        self.feed = feed
        self.plan = plan
        isPlain = plan.isPlain
        labels = LabelReader(plan)
        orders = Array(repeating: MemberOrder(), count: plan.nodeCount)
        known = Column.all(of: feed.kind).map { ($0, Array($0.name.utf8) + [0x1F]) }
        fields = .allocate(capacity: plan.slotCount)
        fields.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0))
        for constant in plan.constants { fields[constant.slot] = constant.text.bytes }
    }

    deinit { fields.deallocate() }

    /// The number of rows since the last call that had an amount and no currency.
    mutating func takeAmountsWithoutCurrency() -> Int {
        defer { amountsWithoutCurrency = 0 }
        return amountsWithoutCurrency
    }

    /// The text of a column; empty if it has none. Valid until the next row is read.
    @inline(__always)
    func text(_ column: Column) -> UnsafeRawBufferPointer { fields[column.rawValue] }

    /// Reads `row`, a JSON object. Its bytes must stay valid while the row is used.
    mutating func readJSON(_ row: UnsafeRawBufferPointer) throws(RowFault) {
        for slot in plan.cleared { fields[slot] = UnsafeRawBufferPointer(start: nil, count: 0) }
        scratch.begin(room(row))
        ignoredCount = 0
        fault = nil
        do {
            try readObject(row, 0)
        } catch let error as JSONError {
            throw RowFault(nil, "not a valid JSON object: at byte \(error.offset + 1): \(error.reason)")
        } catch {
            throw error as? RowFault ?? RowFault(nil, "cannot be read")
        }
        if !isPlain { return try complete() }
        if let fault { throw fault }
    }

    /// Reads the members of an object: the row, or one that a path leads into.
    private mutating func readObject(_ bytes: UnsafeRawBufferPointer, _ node: Int) throws {
        var order = MemberOrder<RowPlan.Target>()
        swap(&order, &orders[node])
        defer { swap(&order, &orders[node]) }
        try JSONReader.forEachMember(of: bytes, in: &order, meaning: { target(of: $0, node) }) { target, value in
            guard target.slot >= 0, target.node < 0 else { return try readBranch(target, value) }
            try set(Int(target.slot), value)
        }
    }

    private mutating func set(_ slot: Int, _ value: JSONValue) throws(RowFault) {
        guard fields[slot].baseAddress == nil else {
            if plan.isLabel(slot) { return }
            throw RowFault(Column(rawValue: slot), "occurs twice; write it once")
        }
        fields[slot] = try text(of: value, slot)
    }

    /// Follows a path into an object, or counts an unknown member.
    private mutating func readBranch(_ target: RowPlan.Target, _ value: JSONValue) throws {
        if target.isIgnored {
            ignoredCount += 1
            guard ignoredCount <= Header.columnsMax else {
                throw RowFault(
                    nil,
                    "has more than \(Header.columnsMax) unknown members; export only those that the feed needs")
            }
            return
        }
        if plan.hasLabelsOnly(Int(target.node)) {
            if target.slot >= 0 { try set(Int(target.slot), value) }
            // What is wrong within it is not the row's fault.
            if case .object(let inner) = value { try? readObject(inner, Int(target.node)) }
            return
        }
        switch value {
        case .object(let inner): try readObject(inner, Int(target.node))
        case .null: break
        default:
            guard target.slot >= 0 else {
                return try note(RowFault(nil, "has a value where the feed's columns name members of an object"))
            }
            fields[Int(target.slot)] = try text(of: value, Int(target.slot))
        }
    }

    /// What a member name leads to. Unknown names are remembered.
    private mutating func target(of key: JSONText, _ node: Int) -> RowPlan.Target {
        let name = key.string
        let target = plan.target(of: name, in: node)
        // Apple's records have many members, which other code reads.
        let isOurs = feed.kind != .transactions
        if target.isIgnored, isOurs, ignored.count < Header.columnsMax { ignored.insert(name) }
        return target
    }

    /// The text of a JSON value. `response` may be an object; no other value may.
    private mutating func text(of value: JSONValue, _ slot: Int) throws(RowFault) -> UnsafeRawBufferPointer {
        switch value {
        case .string(let text):
            guard text.hasEscapes else { return text.raw }
            return text.withUnescaped { scratch.append($0) }
        case .number(let text): return text
        case .bool(let flag): return ScratchBuffer.constant(flag ? "true" : "false")
        case .null: return UnsafeRawBufferPointer(start: nil, count: 0)
        case .object(let text) where slot == Column.response.rawValue: return text
        case .object where plan.isLabel(slot), .array where plan.isLabel(slot):
            return UnsafeRawBufferPointer(start: nil, count: 0)
        case .object, .array:
            isNested = true
            fault = fault ?? RowFault(Column(rawValue: slot), "is an object or a list; write a text or a number")
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// Throws the fault, unless the row may still turn out not to be evidence.
    private mutating func note(_ fault: RowFault) throws(RowFault) {
        if plan.usesAllRows { throw fault }
        self.fault = self.fault ?? fault
    }

    /// Reads `row`, a CSV or TSV record without line ending and with balanced quotes.
    mutating func readFields(
        _ row: UnsafeRawBufferPointer, header: Header, framing: Framing
    ) throws(RowFault) {
        scratch.begin(room(row))
        let delimiter = framing.delimiter!
        var next: Int? = 0
        var number = 0
        while let start = next {
            let isQuoted = framing.isQuoted(row, from: start)
            let end = isQuoted ? framing.fieldEnd(row, from: start)!.index : row.position(of: delimiter, from: start)
            if number < header.slots.count, case let slot = Int(header.slots[number]), slot >= 0 {
                let field = row.part(start, end ?? row.count)
                fields[slot] = isQuoted ? unquoted(field) : framing.isEscaped ? unescaped(field) : field
            }
            number += 1
            next = end.flatMap { $0 < row.count ? $0 + 1 : nil }
        }
        guard number == header.slots.count else {
            if isShortFooter(number, header) { return }
            throw RowFault(
                nil,
                "has \(number) fields, but the header has \(header.slots.count); quote fields that contain the separator"
            )
        }
        if !isPlain { try complete() }
    }

    /// How many bytes of `scratch` a row can need: its own texts, and those that get a prefix once more.
    private mutating func room(_ row: UnsafeRawBufferPointer) -> Int {
        isPlain ? row.count : plan.prefixes.reduce(row.count) { $0 + row.count + $1.text.bytes.count }
    }

    /// Does what the configuration asks for beyond names: values in several columns, conditions, words, prefixes.
    private mutating func complete() throws(RowFault) {
        for copy in plan.copies { fields[copy.to] = fields[copy.from] }
        role = tellRole()
        let fault = fault
        self.fault = nil
        // A credit names an order that is left out with its prefix.
        if role == .leftOut, feed.kind == .orders { addPrefixes() }
        if role != .evidence { return }
        if let fault { throw fault }
        for condition in plan.known where !has(condition) { throw unknown(fields[condition.slot], condition.name) }
        for column in plan.words {
            let own = fields[column.slot]
            guard let pair = column.pairs.first(where: { own.isWord($0.own.bytes) }) else { continue }
            fields[column.slot] = pair.standard.bytes
        }
        addPrefixes()
    }

    private mutating func addPrefixes() {
        for column in plan.prefixes {
            let own = fields[column.slot].withoutTabs
            if !Self.isNull(own), !own.isEqual(to: "0") { fields[column.slot] = scratch.append(column.text.bytes, own) }
        }
    }

    private mutating func tellRole() -> RowRole {
        if let count = footerCount() { return .footer(count) }
        if !plan.deletes.isEmpty, plan.deletes.allSatisfy({ has($0) }) { return .deletion }
        var role: RowRole =
            !plan.excluded.isEmpty && plan.excluded.allSatisfy({ has($0) }) ? .leftOut : .evidence
        for (number, condition) in plan.conditions.enumerated() {
            if fields[condition.slot].baseAddress != nil { conditionsSeen |= 1 << UInt64(number & 63) }
            if !has(condition) { role = .leftOut }
        }
        return role
    }

    private func has(_ condition: RowPlan.Condition) -> Bool {
        let own = fields[condition.slot]
        let text = Self.isNull(own.withoutTabs) ? ScratchBuffer.constant("") : own
        return condition.values.contains { text.isWord($0.bytes) }
    }

    /// The number of rows that the row states as the footer, or −1 if it states none. Nil if it is not the footer.
    private func footerCount() -> Int64? {
        if plan.footer.isEmpty { return nil }
        var count: Int64 = -1
        for cell in plan.footer {
            let text = fields[cell.slot]
            guard cell.parts.count == 2 else {
                if text.isEqual(to: cell.parts[0].bytes) { continue } else { return nil }
            }
            if text.isEqual(to: cell.single.bytes) {
                count = 1
                continue
            }
            let (before, after) = (cell.parts[0].bytes, cell.parts[1].bytes)
            guard text.count > before.count + after.count, text.starts(with: before),
                text.suffix(after.count).elementsEqual(after),
                let number = Parse.integer(text.part(before.count, text.count - after.count)), number >= 0
            else { return nil }
            count = number
        }
        return count
    }

    /// Whether a row that has only `number` fields is the footer.
    private mutating func isShortFooter(_ number: Int, _ header: Header) -> Bool {
        guard !plan.footer.isEmpty, number < header.slots.count else { return false }
        for slot in header.slots[number...] where slot >= 0 {
            fields[Int(slot)] = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        for copy in plan.copies { fields[copy.to] = fields[copy.from] }
        guard let count = footerCount() else { return false }
        role = .footer(count)
        return true
    }

    mutating func names(_ row: UnsafeRawBufferPointer, _ framing: Framing) -> [String] {
        scratch.begin(row.count)
        var names: [String] = []
        var start = 0
        while names.count <= Header.columnsMax, let (end, _) = framing.fieldEnd(row, from: start) {
            let isQuoted = framing.isQuoted(row, from: start)
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

    /// The text of a field in which a backslash escapes what follows. `\N`, which stands for no value, stays.
    private mutating func unescaped(_ field: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let isPlain = field.position(of: UInt8(ascii: "\\"), from: 0) == nil
        return isPlain || Self.isNull(field) ? field : scratch.append(unescaping: field)
    }
}

/// Memory for texts of one row that differ from the bytes in the row: escapes undone, prefixes added.
struct ScratchBuffer: ~Copyable {
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)
    private var count = 0
    private var capacity = 0

    deinit { memory.deallocate() }

    /// Starts a new row, whose texts have at most `bytes` bytes together. Texts of the previous row become invalid.
    mutating func begin(_ bytes: Int) {
        count = 0
        capacity = bytes
    }

    /// Copies `first` and `second`, one after the other. The result is valid until `begin`.
    mutating func append(
        _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let start = count
        _ = append(first)
        _ = append(second)
        return UnsafeRawBufferPointer(rebasing: memory[start..<count])
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

    /// Like `append`, with what a backslash and a letter stand for. Before any other sign, the backslash stays.
    mutating func append(unescaping text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        reserve()
        let start = count
        var index = 0
        while index < text.count {
            let isBackslash = text[index] == UInt8(ascii: "\\") && index + 1 < text.count
            let meaning = isBackslash ? Self.meanings.first { $0.letter == text[index + 1] }?.byte : nil
            memory[count] = meaning ?? text[index]
            count += 1
            index += meaning == nil ? 1 : 2
        }
        return UnsafeRawBufferPointer(rebasing: memory[start..<count])
    }

    private static let meanings: [(letter: UInt8, byte: UInt8)] = zip(
        Array("ntrbfv\\".utf8), [10, 9, 13, 8, 12, 11, 92]
    )
    .map { ($0, $1) }

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
