internal import Domain
public import Engine
internal import Exceptions
internal import Foundation
internal import JSON
internal import Matching
internal import Records
internal import ReportData

/// Writes what judging a part found. The last line is `sum`.
public struct FindingsLineWriter {
    public var lines: LineWriter
    private var reader = IdentifierReader()

    public init(plan: String) { lines = LineWriter(.findings, plan: plan) }

    /// - Parameter drain: called after each line; may take the bytes.
    public mutating func write<Failure>(
        _ findings: Findings, _ proof: PartProof, _ drain: (inout LineWriter) throws(Failure) -> Void
    ) throws(Failure) {
        for observation in findings.observations {
            write("observation", ObservationText(observation, caseKeys: findings.caseKeys[observation.subject]))
            try drain(&lines)
        }
        for refund in findings.refunds { write("refund", refund) }
        for purchase in findings.unlinkedPurchases {
            write("unlinked-purchase", keys: group(purchase.owner, purchase.product), purchase)
            try drain(&lines)
        }
        for order in findings.unlinkedOrders {
            write("unlinked-order", keys: group(order.account, order.product), order)
            try drain(&lines)
        }
        for credit in findings.strayCredits { write("stray-credit", credit) }
        for credit in findings.deskCredits { write("desk-credit", credit) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Numbers and texts can always be encoded.
        let totals = (try? encoder.encode(FindingsTotals(findings, proof, lines.total))) ?? Data()
        lines.line("sum", keys: [], object: Array(totals))
        try drain(&lines)
    }

    private mutating func write(_ kind: StaticString, keys: [Int64] = [], _ value: some FactsText) {
        var writer = JSONWriter(escaping: .required)
        writer.object { value.write(to: &$0) }
        lines.line(kind, keys: keys, object: writer.takeBytes())
    }

    /// The key under which a purchase and the orders that may belong to it come together.
    private mutating func group(_ account: Identifier, _ product: Identifier) -> [Int64] {
        let bits = reader.stableHash(of: account) ^ reader.stableHash(of: product) &* 31
        return [Int64(bitPattern: StableHash.finish(bits))]
    }
}

/// Reads what judging all parts found.
public struct FindingsLineReader {
    private var findings = Findings()
    private var proof = PartProof()
    /// The lines read, and those that the parts say they wrote.
    private var read = WireSum()
    private var written = WireSum()

    public init() {}

    /// Reads a line.
    public mutating func read(_ line: WireLine) throws(WireError) {
        do {
            if line.kind.isEqual(to: "sum") { return try readTotals(line) }
            read.add(line.sum)
            let text = try FactsReader(line.object)
            if line.kind.isEqual(to: "observation") {
                let found = try ObservationText(text)
                findings.observations.append(found.observation)
                findings.caseKeys[found.observation.subject] = found.caseKeys
            } else if line.kind.isEqual(to: "unlinked-purchase") {
                findings.unlinkedPurchases.append(try UnlinkedPurchase(text))
            } else if line.kind.isEqual(to: "unlinked-order") {
                findings.unlinkedOrders.append(try UnlinkedOrder(text))
            } else if line.kind.isEqual(to: "refund") {
                findings.refunds.append(try RefundLine(text))
            } else if line.kind.isEqual(to: "stray-credit") {
                findings.strayCredits.append(try StrayCredit(text))
            } else if line.kind.isEqual(to: "desk-credit") {
                findings.deskCredits.append(try UnnamedDeskCredit(text))
            } else {
                throw WireError.misspelled(line: line.number, reason: "it is of no kind that is known")
            }
        } catch let error as WireError {
            throw error
        } catch {
            throw line.fault("\(error)")
        }
    }

    private mutating func readTotals(_ line: WireLine) throws {
        let totals = try JSONDecoder().decode(FindingsTotals.self, from: Data(line.object))
        guard let counted = totals.findings else { throw line.fault("a total is impossible") }
        findings.append(counted)
        proof.append(totals.proof)
        written += totals.written
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
