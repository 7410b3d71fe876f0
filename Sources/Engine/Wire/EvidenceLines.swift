/// Writes evidence as lines, and what travels with it. See docs/spec/cluster.md#wire.
public struct EvidenceLineWriter {
    public var lines: LineWriter
    private var keys = TieKeys()

    /// - Parameter plan: the SHA-256 of the plan, hexadecimal.
    public init(plan: String) { lines = LineWriter(.evidence, plan: plan) }

    /// - Parameters:
    ///   - isShared: every row counts as one of several transactions.
    ///   - drain: called after each line; may take the bytes.
    public mutating func write<Failure>(
        _ evidence: Evidence, isShared: Bool = false, _ drain: (inout LineWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try write(evidence.orders, as: "order", drain)
        try write(evidence.credits, as: "credit", drain)
        var placed = PlacedTransaction.blank
        for (index, value) in evidence.transactions.enumerated() {
            let (before, after) = (evidence.transactions[..<index].last, evidence.transactions[(index + 1)...].first)
            placed.place = before?.source == value.source ? (placed.place ?? 0) + 1 : nil
            placed.isShared = isShared || placed.place != nil || after?.source == value.source
            placed.transaction = value
            keys.set(of: value)
            lines.line("transaction", keys: keys.keys, token: value.token, placed)
            try drain(&lines)
        }
        try write(evidence.receipts, as: "receipt", drain)
    }

    private mutating func write<Row: DescribedEvidence & MemberRecord, Failure>(
        _ rows: [Row], as kind: StaticString, _ drain: (inout LineWriter) throws(Failure) -> Void
    ) throws(Failure) {
        for row in rows {
            keys.set(of: row)
            lines.line(kind, keys: keys.keys, token: keys.token, row)
            try drain(&lines)
        }
    }

    /// Writes an exception that the night follows; it travels with the evidence of its case.
    public mutating func write(_ exception: FollowedException) {
        keys.removeAll()
        for subject in exception.keys { keys.add(subject) }
        lines.line("entry", keys: keys.keys, exception)
    }

    /// Writes the owner of a token; it travels with all evidence that has the token.
    ///
    /// - Parameter read: the lines from which all owners were worked out.
    public mutating func write(_ token: Token, _ owner: TokenOwner, from read: WireSum) {
        lines.line("owner", keys: [], token: token, OwnedToken(token: token, owner: owner, read: read))
    }
}

/// Reads lines of evidence, and those that travel with them.
public struct EvidenceLineReader {
    public enum Kind: Equatable {
        case evidence(DeliveryID), owner, entry
    }

    private var members = Members()
    private var evidence = Evidence()
    /// The place of each transaction in its row.
    private var places: [Int32] = []
    /// The rows that hold several transactions. These may be in other cases.
    public private(set) var sharedRows: Set<Provenance> = []
    public private(set) var owners: [Token: TokenOwner] = [:]
    public private(set) var ownerLinesRead: Set<WireSum> = []
    /// The exceptions that the night follows, and the sum of their lines.
    public private(set) var entries: [FollowedException] = []
    public private(set) var entryTotal = WireSum()

    public init() {}

    /// Reads a line. Nil if the line is of another kind.
    public mutating func read(_ line: WireLine) throws(WireError) -> Kind? {
        if line.kind.isEqual(to: "order") {
            evidence.orders.append(try members.read(line))
            return .evidence(evidence.orders.last!.source.delivery)
        } else if line.kind.isEqual(to: "transaction") {
            let placed: PlacedTransaction = try members.read(line)
            evidence.transactions.append(placed.transaction)
            places.append(placed.place ?? 0)
            if placed.isShared { sharedRows.insert(placed.transaction.source) }
            return .evidence(placed.transaction.source.delivery)
        } else if line.kind.isEqual(to: "credit") {
            evidence.credits.append(try members.read(line))
            return .evidence(evidence.credits.last!.source.delivery)
        } else if line.kind.isEqual(to: "receipt") {
            evidence.receipts.append(try members.read(line))
            return .evidence(evidence.receipts.last!.source.delivery)
        } else if line.kind.isEqual(to: "owner") {
            let owned: OwnedToken = try members.read(line)
            ownerLinesRead.insert(owned.read)
            let known = owners.updateValue(owned.owner, forKey: owned.token)
            guard known == nil || known == owned.owner else { throw line.fault("a token has two owners") }
            return .owner
        } else if line.kind.isEqual(to: "entry") {
            entries.append(try members.read(line))
            entryTotal.add(line.sum)
            return .entry
        }
        return nil
    }

    /// Removes and returns the evidence in the order in which it was delivered, whatever the order of its lines was.
    public mutating func takeSorted() -> Evidence {
        var sorted = evidence.take()
        sorted.orders.order { $0.source.precedes($1.source) }
        sorted.credits.order { $0.source.precedes($1.source) }
        sorted.receipts.order { $0.source.precedes($1.source) }
        let transactions = sorted.transactions
        let positions = transactions.indices.ordered { left, right in
            let (first, second) = (transactions[left].source, transactions[right].source)
            return first == second ? places[left] < places[right] : first.precedes(second)
        }
        sorted.transactions = positions.map { transactions[$0] }
        places = []
        return sorted
    }
}

extension Provenance {
    fileprivate func precedes(_ other: Provenance) -> Bool {
        delivery == other.delivery ? line < other.line : delivery < other.delivery
    }
}
