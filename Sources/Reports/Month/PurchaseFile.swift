internal import Glibc

/// `month-purchases.csv.gz`: each purchase, refund, credit and reversal of a month, and each balance at its end. See docs/spec/interfaces.md#month-purchases.
///
/// The rows are written while the month is added up, so that memory does not grow with them: into a file without a name,
/// piece by piece in the order of the pieces, each compressed by itself. (Compressed files one after the other are one
/// compressed file.) So the same ledger gives the same bytes, whatever thread writes what.
public final class PurchaseFile: PurchaseSink {
    private struct Key: Hashable {
        var kind: PurchaseRow.Kind
        var currency: Currency
        var source: PriceSource?
    }
    private struct Part: Sendable {
        var bytes: [UInt8] = []
        var sums: [Key: PopulationSum] = [:]
    }
    private struct Whole: Sendable {
        var descriptor: Int32
        var count = 0
        var sums: [Key: PopulationSum] = [:]
        var hasFailed = false
    }
    private let reducer: OrderedReducer<Part, Whole>
    private let names: [DeliveryID: String]
    private let labels: [String]
    private let descriptor: Int32

    /// - Parameters:
    ///   - folder: where the file is kept until it is copied. It has no name there.
    ///   - names: the names of the files that were delivered.
    ///   - labels: the names of the labels, each of which has a column.
    public init(folder: String, names: [DeliveryID: String], labels: [String] = []) throws(ReportError) {
        self.names = names
        self.labels = labels
        var path = Array((folder + "/purchases.XXXXXX").utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .cannotCreate(path: folder, code: errno) }
        unlink(path)
        reducer = OrderedReducer(into: Whole(descriptor: descriptor)) { whole, part in
            whole.sums.merge(part.sums) { $0 + $1 }
            if !part.bytes.isEmpty, writeAll(part.bytes, to: whole.descriptor) != 0 { whole.hasFailed = true }
            whole.count += part.bytes.count
        }
        let columns = purchaseColumns + labels.map { ",label_" + $0 }.joined() + "\n"
        let header = Deflater.gzip(Array(columns.utf8))
        let error = writeAll(header, to: descriptor)
        if error != 0 { throw .cannotWrite(path: folder, code: error) }
    }

    deinit { close(descriptor) }

    public func add(_ rows: [PurchaseRow], piece number: Int) throws {
        var part = Part()
        var text = PurchaseText(names: names, labels: labels)
        for row in rows {
            text.add(row)
            let key = Key(kind: row.kind, currency: row.amount?.currency ?? .absent, source: row.priceSource)
            let sum = PopulationSum(row)
            part.sums[key] = part.sums[key].map { $0 + sum } ?? sum
        }
        if !rows.isEmpty { part.bytes = Deflater.gzip(text.bytes) }
        reducer.add(part, at: number)
    }

    /// What the rows add up to. Call it when all pieces were added.
    public func sums() throws(ReportError) -> [PopulationSum] {
        let whole = reducer.result().whole
        if whole.hasFailed { throw .cannotWrite(path: "month-purchases.csv.gz", code: ENOSPC) }
        let order = PurchaseRow.Kind.allCases
        return whole.sums.values.ordered {
            (order.firstIndex(of: $0.kind)!, $0.currency, $0.priceSource?.rawValue ?? "")
                < (order.firstIndex(of: $1.kind)!, $1.currency, $1.priceSource?.rawValue ?? "")
        }
    }

    func copy(to file: inout OutputFile) throws(ReportError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset = 0
        while true {
            let count = uninterrupted { pread(descriptor, &buffer, buffer.count, offset) }
            guard count >= 0 else { throw .cannotWrite(path: file.path, code: errno) }
            if count == 0 { return }
            try file.append(buffer[..<count])
            offset += count
        }
    }
}

private let purchaseColumns =
    "kind,at,transaction_id,original_transaction_id,product_id,type,storefront,bundle_id,units,currency,amount,priced_by,"
    + "account_id,order_id,verdict,cause,file,line"

/// Rows as CSV. Written byte by byte, because there are as many as purchases.
private struct PurchaseText {
    /// The longest identifier that is written without becoming a `String`.
    private static let identifierMax = 64

    let names: [DeliveryID: String]
    let labels: [String]
    private(set) var bytes: [UInt8] = []
    private var identifiers = IdentifierReader()

    init(names: [DeliveryID: String], labels: [String]) {
        self.names = names
        self.labels = labels
    }

    mutating func add(_ row: PurchaseRow) {
        field(row.kind.rawValue)
        field(row.at.text)
        field(row.record?.id ?? .absent)
        field(row.record?.original ?? .absent)
        field(row.product)
        field(row.type?.name ?? "")
        field(row.record?.storefront ?? .absent)
        field(row.record?.bundle ?? .absent)
        field(String(row.units))
        field(row.amount?.currency.text ?? "")
        field(row.amount?.text ?? "")
        field(row.priceSource?.rawValue ?? "")
        field(row.account)
        field(row.order)
        field(row.verdict.rawValue)
        field(row.cause.rawValue)
        field(row.source.flatMap { names[$0.delivery] } ?? "")
        field(row.source.map { String($0.line) } ?? "")
        if !labels.isEmpty {
            let values = row.labels.values
            for name in labels { field(values.first { $0.name == name }?.text ?? .absent) }
        }
        bytes[bytes.count - 1] = UInt8(ascii: "\n")
    }

    private mutating func field(_ identifier: Identifier) {
        if identifier == .absent { return field("") }
        let isWritten = withUnsafeTemporaryAllocation(byteCount: Self.identifierMax, alignment: 1) { memory in
            guard let count = identifiers.write(identifier, into: memory) else { return false }
            let text = UnsafeRawBufferPointer(rebasing: memory[..<count])
            guard text.isPlain else { return false }
            bytes.append(contentsOf: text)
            bytes.append(UInt8(ascii: ","))
            return true
        }
        if !isWritten { field(identifiers.text(of: identifier)) }
    }

    private mutating func field(_ text: String) {
        var text = text
        let isPlain = text.withUTF8 { UnsafeRawBufferPointer($0).isPlain }
        if isPlain { bytes.append(contentsOf: text.utf8) } else { bytes.append(contentsOf: csvField(text)) }
        bytes.append(UInt8(ascii: ","))
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a field needs neither quotes nor protection against formulas: letters, digits, `.`, `_`, `/`, `:`, and `-`
    /// within the text. Nearly all fields are plain.
    fileprivate var isPlain: Bool {
        for (place, byte) in enumerated() {
            let isHarmless =
                byte >= 0x30 && byte <= 0x3A || byte >= 0x41 && byte <= 0x5A || byte >= 0x61 && byte <= 0x7A
                || byte == 0x2E || byte == 0x2F || byte == 0x5F || byte == 0x2D && place > 0
            if !isHarmless { return false }
        }
        return true
    }
}
