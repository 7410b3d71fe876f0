/// Writes what judging a part found. The last line is `sum`.
public struct FindingsLineWriter {
    public var lines: LineWriter
    private var reader = IdentifierReader()

    public init(plan: String) { lines = LineWriter(.findings, plan: plan) }

    /// - Parameter drain: called after each line; may take the bytes.
    public mutating func write(
        _ findings: Findings, from proof: PartProof, _ drain: (inout LineWriter) throws -> Void
    ) throws {
        for observation in findings.observations {
            let keys = findings.caseKeys[observation.subject]
            lines.line("observation", ObservedCase(observation: observation, keys: keys))
            try drain(&lines)
        }
        for refund in findings.refunds { try lines.line("refund", encoding: refund) }
        for purchase in findings.unlinkedPurchases {
            lines.line("unlinked-purchase", keys: group(purchase.owner, purchase.product), purchase)
            try drain(&lines)
        }
        for order in findings.unlinkedOrders {
            lines.line("unlinked-order", keys: group(order.account, order.product), order)
            try drain(&lines)
        }
        for credit in findings.strayCredits { try lines.line("stray-credit", encoding: credit) }
        for credit in findings.unnamedDeskCredits { try lines.line("desk-credit", encoding: credit) }
        for (key, pieces) in findings.tables.tables.ordered() {
            for piece in pieces {
                try lines.line("table", encoding: TableLine(date: key.date, bytes: piece.encoded(of: key.date).bytes))
                try drain(&lines)
            }
        }
        try lines.line("sum", encoding: PartTotals(findings: findings, proof: proof, written: lines.total))
        try drain(&lines)
    }

    /// The key under which a purchase and the orders that may belong to it come together.
    private mutating func group(_ account: Identifier, _ product: Identifier) -> [Int64] {
        let bits = reader.stableHash(of: account) ^ reader.stableHash(of: product) &* 31
        return [Int64(bitPattern: StableHash.finish(bits))]
    }
}

/// Reads what judging all parts found.
public struct FindingsLineReader {
    private var members = Members()
    private var findings = Findings()
    private var proof = PartProof()
    /// The lines read, and those that the parts say they wrote.
    private var read = WireSum()
    private var written = WireSum()

    public init() {}

    public mutating func read(_ line: WireLine) throws(WireError) {
        if line.kind.isEqual(to: "sum") {
            let totals: PartTotals = try line.decoded()
            findings.append(totals.findings)
            proof.append(totals.proof)
            written += totals.written
            return
        }
        read.add(line.sum)
        if line.kind.isEqual(to: "observation") {
            let observed: ObservedCase = try members.read(line)
            findings.observations.append(observed.observation)
            findings.caseKeys[observed.observation.subject] = observed.keys
        } else if line.kind.isEqual(to: "unlinked-purchase") {
            findings.unlinkedPurchases.append(try members.read(line))
        } else if line.kind.isEqual(to: "unlinked-order") {
            findings.unlinkedOrders.append(try members.read(line))
        } else if line.kind.isEqual(to: "refund") {
            findings.refunds.append(try line.decoded())
        } else if line.kind.isEqual(to: "stray-credit") {
            findings.strayCredits.append(try line.decoded())
        } else if line.kind.isEqual(to: "desk-credit") {
            findings.unnamedDeskCredits.append(try line.decoded())
        } else if line.kind.isEqual(to: "table") {
            let table: TableLine = try line.decoded()
            guard let piece = table.piece else { throw line.fault("its purchases are not what was written") }
            findings.tables.append(piece)
        } else {
            throw line.fault("it is of no kind that is known")
        }
    }

    /// Removes and returns everything that was found, and what it was found from.
    /// - Throws: `WireError.cut` if lines were lost or doubled on the way.
    public mutating func take() throws(WireError) -> (findings: Findings, proof: PartProof) {
        guard read == written else {
            throw .cut("the parts wrote \(written.lines) findings, and \(read.lines) came, or others")
        }
        defer { self = FindingsLineReader() }
        return (findings, proof)
    }
}
