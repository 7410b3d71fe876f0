/// Where the fields of a row come from. It is compiled from the feed's configuration once for each file.
///
/// A *slot* holds the text of one value of a row. The first slots are the columns, by raw value; after them come the
/// values that decide what a row is, then the labels. A plain feed only names its columns, so its rows need no further work
/// once they are split.
struct RowPlan: Sendable {
    /// What a name leads to: the slot of its value, a node with the names below it, both, or nothing.
    struct Target: Sendable {
        var slot: Int16 = -1
        var node: Int16 = -1

        /// A name that the feed does not need.
        static let ignored = Target()
        var isIgnored: Bool { slot < 0 && node < 0 }
    }

    /// A value that decides what the row is.
    struct Condition: Sendable {
        var slot: Int
        /// The file's own name.
        var name: String
        /// The key of the configuration that names it.
        var key: String
        var values: [FixedText]
    }

    /// A text of the footer.
    struct FooterCell: Sendable {
        var slot: Int
        var name: String
        /// The text before the number of rows and the text after it, or the whole text if it has no number.
        var parts: [FixedText]
        /// The whole text of a file with one row, which English writes in the singular: `(1 row)`.
        var single: FixedText
    }

    let kind: FeedKind
    /// The columns of the feed that have a source in the file: every row's values are cleared before it is read.
    private(set) var cleared: [Int] = []
    /// The values that are the same in every row.
    private(set) var constants: [(slot: Int, text: FixedText)] = []
    /// Values that are needed in several slots.
    private(set) var copies: [(from: Int, to: Int)] = []
    /// The file's own words, and the standard words for them.
    private(set) var words: [(slot: Int, pairs: [(own: FixedText, standard: FixedText)])] = []
    private(set) var prefixes: [(slot: Int, text: FixedText)] = []
    /// What all rows that are used have.
    private(set) var conditions: [Condition] = []
    /// What rows that are not used have.
    private(set) var excluded: [Condition] = []
    /// What all rows that are not rejected have.
    private(set) var known: [Condition] = []
    /// What rows that delete a record have.
    private(set) var deletes: [Condition] = []
    private(set) var footer: [FooterCell] = []
    /// The labels by the bytes of their names. No row or file is refused because of them.
    private(set) var labels: [(slot: Int, name: String)] = []
    private(set) var slotCount = Column.allCases.count
    /// The names by node. Node 0 has the file's columns and, in JSON, the members of a row; the others those of an object
    /// inside of it.
    private var nodes: [[String: Target]] = [[:]]
    /// The nodes in which there is nothing but labels.
    private var labelNodes: Set<Int> = []
    /// The names of a CSV or TSV file, whose points separate nothing.
    private var flat: [String: Int16] = [:]
    /// The file's own name of each slot, for messages.
    private var names: [Int: String] = [:]
    /// The columns for which the configuration names a column of the file.
    let mapped: [Column]

    init(_ feed: Feed) {
        kind = feed.kind
        mapped = Column.all(of: feed.kind).filter { feed.columns[$0.name]?.name != nil }
        let unread = feed.unread
        for column in Column.all(of: feed.kind) where !unread.contains(column.name) {
            let slot = column.rawValue
            let source = feed.columns[column.name] ?? ColumnSource()
            if let value = source.value {
                constants.append((slot, FixedText(value)))
                continue
            }
            // A column that the configuration maps is known by the mapped name only.
            add(source.name ?? column.name, slot)
            add(words: source.words, slot)
            if !source.prefix.isEmpty { prefixes.append((slot, FixedText(source.prefix))) }
        }
        conditions = addConditions("where", feed.conditions)
        excluded = addConditions("whereNot", feed.excluded)
        known = addConditions("known", feed.known)
        deletes = addConditions("deletes", feed.deletes)
        for (name, text) in (feed.footer ?? [:]).sorted(by: { $0.key < $1.key }) {
            let parts = text.split(separator: Self.rowsMark, maxSplits: 1, omittingEmptySubsequences: false)
            let single = FixedText(text.replacing(Self.rowsMark + " rows", with: "1 row"))
            footer.append(
                FooterCell(slot: addSlot(name), name: name, parts: parts.map { FixedText(String($0)) }, single: single))
        }
        for (name, source) in feed.labels.sorted(by: { $0.key < $1.key }) {
            // First, because it tells which nodes have nothing but labels.
            labels.append((slotCount, name))
            add(words: source.words, addSlot(source.name ?? name))
        }
    }

    /// Stands for the number of rows in a footer.
    static let rowsMark = "{rows}"

    private mutating func addConditions(_ key: String, _ map: [String: [String]]) -> [Condition] {
        map.sorted { $0.key < $1.key }.map { name, values in
            Condition(slot: addSlot(name), name: name, key: key, values: values.map { FixedText($0) })
        }
    }

    private mutating func addSlot(_ name: String) -> Int {
        add(name, slotCount)
        slotCount += 1
        return slotCount - 1
    }

    private mutating func add(words own: [String: String], _ slot: Int) {
        if own.isEmpty { return }
        words.append((slot, own.sorted { $0.key < $1.key }.map { (FixedText($0.key), FixedText($0.value)) }))
    }

    func isLabel(_ slot: Int) -> Bool { slot >= slotCount - labels.count && !labels.isEmpty }
    /// Whether the object of that node has nothing but labels.
    func hasLabelsOnly(_ node: Int) -> Bool { labelNodes.contains(node) }

    /// Whether rows need nothing after they are divided.
    var isPlain: Bool { copies.isEmpty && words.isEmpty && prefixes.isEmpty && known.isEmpty && usesAllRows }
    /// Whether every row is evidence, because the feed has no `where`, `whereNot`, `deletes` or `footer`.
    var usesAllRows: Bool { conditions.isEmpty && excluded.isEmpty && deletes.isEmpty && footer.isEmpty }

    private mutating func add(_ name: String, _ slot: Int) {
        cleared.append(slot)
        names[slot] = name
        if let first = flat[Self.plain(name)] { return copies.append((Int(first), slot)) }
        flat[Self.plain(name)] = Int16(slot)
        let steps = name.split(separator: ".", omittingEmptySubsequences: false).map { Self.plain(String($0)) }
        var node = 0
        for step in steps.dropLast() {
            var target = nodes[node][step] ?? .ignored
            if target.node < 0 {
                target.node = Int16(nodes.count)
                if !labels.isEmpty { labelNodes.insert(nodes.count) }
                nodes.append([:])
            }
            nodes[node][step] = target
            node = Int(target.node)
        }
        nodes[node][steps.last!, default: .ignored].slot = Int16(slot)
        // A member whose own name has points is known by it as well.
        if steps.count > 1 { nodes[0][Self.plain(name), default: .ignored].slot = Int16(slot) }
    }

    /// How many objects have names of their own; at least 1.
    var nodeCount: Int { nodes.count }

    /// What the name of a member leads to, in the object of that node.
    func target(of name: String, in node: Int) -> Target { nodes[node][Self.plain(name)] ?? .ignored }

    /// The slot of a column of a CSV or TSV file; −1 for one that is not needed.
    func slot(of name: String) -> Int16 { flat[Self.plain(name)] ?? -1 }

    /// Whether that slot has a value in a file whose columns fill `slots`.
    func isFilled(_ slot: Int, by slots: [Int16]) -> Bool {
        slots.contains(Int16(slot)) || constants.contains { $0.slot == slot }
            || copies.contains { $0.to == slot && slots.contains(Int16($0.from)) }
    }

    /// The file's own name for a slot, as the configuration has it; nil for a constant.
    func name(of slot: Int) -> String? { names[slot] }

    /// Names are compared without regard to case, `_`, `-` and white space.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "\t" }
    }
}

/// A text of the configuration in memory that does not move: the fields of rows point into it.
final class FixedText: Sendable {
    /// The text's bytes. Threads share them, and the compiler lets no thread share a pointer.
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer  // Safe: nothing writes to them after `init`.

    init(_ text: String) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        memory.copyBytes(from: text.utf8)
        bytes = UnsafeRawBufferPointer(memory)
    }

    deinit { bytes.deallocate() }
}

/// The columns of a CSV or TSV file, from left to right.
struct Header: Sendable {
    static let columnsMax = 1000

    /// For each column of the file, the slot of its value; −1 for a column that is ignored.
    var slots: [Int16] = []
    /// The names of the columns that are ignored.
    var ignored: [String] = []

    /// Throws a `FileDefect` if the file cannot be read with this header.
    init(_ names: [String], _ plan: RowPlan) throws(FileDefect) {
        guard names.count <= Self.columnsMax else {
            throw FileDefect(
                "its header has more than \(Self.columnsMax) columns; export only those that the feed needs")
        }
        for name in names {
            let slot = plan.slot(of: name)
            if slot >= 0, slots.contains(slot) {
                if plan.isLabel(Int(slot)) {
                    slots.append(-1)
                    continue
                }
                throw FileDefect("its header has the column \(plan.name(of: Int(slot)) ?? name) twice; remove one")
            }
            slots.append(slot)
            if slot < 0 { ignored.append(name) }
        }
        guard ignored.count < names.count else { throw .headerless(names, plan.kind) }
        // Without a mapped column, a reversal would be read as a credit, for instance.
        for column in Column.required(of: plan.kind) + plan.mapped where !plan.isFilled(column.rawValue, by: slots) {
            throw .missing(plan.name(of: column.rawValue) ?? column.name, for: column.name, in: names)
        }
        let told = (plan.conditions + plan.excluded + plan.known + plan.deletes).map { ($0.slot, $0.name, $0.key) }
        for (slot, name, key) in told + plan.footer.map({ ($0.slot, $0.name, "footer") })
        where !plan.isFilled(slot, by: slots) {
            throw .missing(name, by: key, in: names)
        }
    }

    /// A name for a message.
    static func shown(_ name: String) -> String { "“" + name.prefix(40) + (name.count > 40 ? "…" : "") + "”" }
}

extension FileDefect {
    /// The header lacks the column that the feed knows as `name`. `standard` is the column's standard name, or `key` the key
    /// of the feed that names the column.
    fileprivate static func missing(
        _ name: String, for standard: String? = nil, by key: String = "where", in names: [String]
    ) -> FileDefect {
        let listed = names.prefix(12).map { Header.shown($0) }.joined(separator: ", ") + (names.count > 12 ? ", …" : "")
        let remedy =
            switch standard {
            case name?: "export it, or map it under columns in the configuration"
            case let standard?: "columns maps \(standard) to it: correct the name, or export the column"
            case nil: "\(key) names it: correct the name, or export the column"
            }
        return FileDefect("its header has no column \(name); \(remedy). The header has \(listed)")
    }

    /// No name of the first line is known: it is a row, or a header in the backend's own words.
    fileprivate static func headerless(_ names: [String], _ kind: FeedKind) -> FileDefect {
        let listed = names.prefix(12).map { Header.shown($0) }.joined(separator: ", ") + (names.count > 12 ? ", …" : "")
        let hasFigures = names.contains { name in name.utf8.contains { 0x30...0x39 ~= $0 } && name.utf8.count > 4 }
        let what =
            hasFigures
            ? "the header row is missing: name the columns with header: [\"…\", …] in the feed, or export the header row"
            : "map them under columns in the configuration"
        return FileDefect(
            "its first line has no column of \(kind.rawValue): it has \(listed); \(what). If other "
                + "lines come before the header, set skipLines in the feed")
    }
}
