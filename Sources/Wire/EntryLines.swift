public import Domain
internal import Text

private enum EntryMember: Int, WireMember {
    case exception, keys
}

/// Writes the exceptions that a night follows as lines that travel with the evidence of their cases.
public struct EntryLineWriter {
    public var lines: LineWriter
    private var keys = TieKeys()

    public init(plan: String) { lines = LineWriter(.evidence, plan: plan) }

    /// - Parameter subjects: the keys of all evidence of the case in which the exception was last seen.
    public mutating func write(_ exception: ExceptionID, _ subjects: [SubjectKey]) {
        keys.begin()
        lines.withIdentifiers { for subject in subjects { keys.add(subject, &$0) } }
        lines.line("entry", keys: keys.keys) { line in
            line.add("exception", text: exception.text)
            line.add("keys", subjects)
        }
    }
}

/// Reads the exceptions that a night follows.
public struct EntryLineReader {
    private var members = Members<EntryMember>()
    /// The entries read so far.
    public private(set) var entries: [(exception: ExceptionID, keys: [SubjectKey])] = []
    public private(set) var total = WireSum()

    public init() {}

    /// Reads a line. False if it is of another kind.
    public mutating func read(_ line: WireLine) throws(WireError) -> Bool {
        guard line.kind.isEqual(to: "entry") else { return false }
        try members.read(line)
        let id = try members.whole(
            members.text(.exception) { ExceptionID(String(decoding: $0, as: UTF8.self)) }, .exception)
        entries.append((id, try members.whole(members.subjects(.keys), .keys)))
        total.add(line.sum)
        return true
    }
}
