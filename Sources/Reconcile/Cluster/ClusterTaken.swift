internal import Domain
internal import Foundation
internal import Intake
internal import Wire

/// What `take` says about a delivered file: the object of a line `taken`. The evidence has lines of its own.
struct ClusterTaken: Codable {
    struct Rejected: Codable {
        var line: Int
        var column: String?
        var reason: String
        var row: Data
    }

    struct Contents: Codable {
        var digest: String
        /// Device, inode, size, and the times of modification and change.
        var stamp: [Int64]
        var rows: Int
        var rejected: Int
        var firstEvent: Instant?
        var lastEvent: Instant?
        var amounts: [String: Int64]
        var hashTotal: UInt64
        var isListCut: Bool
        var ignoredColumns: [String]
        var leftOut: Int
        var amountsWithoutCurrency: Int
    }

    var number: Int32
    /// Nil for a file that is refused.
    var contents: Contents?
    /// Why it is refused.
    var refusal: String?
    var rejects: [Rejected]
    /// The lines of its evidence.
    var evidence: ClusterSum
    /// The file has orders, and any of them carries a token.
    var hasOrders: Bool
    var hasTokens: Bool

    init(_ taken: TakenFile, number: DeliveryID, _ evidence: Evidence, lines: WireSum) {
        self.number = number.rawValue
        contents = taken.contents.map(Contents.init)
        refusal = taken.refusal
        rejects = taken.rejects.map { Rejected(line: $0.line, column: $0.column, reason: $0.reason, row: Data($0.row)) }
        self.evidence = ClusterSum(delivery: number.rawValue, lines: lines.lines, sum: lines.sum)
        hasOrders = !evidence.orders.isEmpty
        hasTokens = evidence.orders.contains { $0.token != nil }
    }

    /// The file as `Nightly` uses it. Nil if the contents are not as this program writes them.
    var file: TakenFile? {
        var file = TakenFile(Refusal(refusal ?? ""))
        file.refusal = refusal
        file.rejects = rejects.map { Reject(line: $0.line, column: $0.column, reason: $0.reason, row: Array($0.row)) }
        guard let contents else { return refusal == nil ? nil : file }
        guard let found = contents.file else { return nil }
        file.contents = found
        return file
    }
}

extension ClusterTaken.Contents {
    fileprivate init(_ contents: TakenFile.Contents) {
        let (stamp, totals) = (contents.stamp, contents.totals)
        self.init(
            digest: contents.digest.hex,
            stamp: [
                Int64(bitPattern: stamp.device), Int64(bitPattern: stamp.inode), stamp.bytes, stamp.modified,
                stamp.changed,
            ], rows: totals.rows, rejected: totals.rejected, firstEvent: totals.firstEvent,
            lastEvent: totals.lastEvent,
            amounts: Dictionary(uniqueKeysWithValues: totals.amounts.map { ($0.key.text, $0.value) }),
            hashTotal: totals.hashTotal, isListCut: contents.isListCut, ignoredColumns: contents.ignoredColumns,
            leftOut: contents.leftOut, amountsWithoutCurrency: contents.amountsWithoutCurrency)
    }

    /// Nil for values that this program does not write.
    fileprivate var file: TakenFile.Contents? {
        guard let digest = Digest256(hex: digest), stamp.count == 5 else { return nil }
        var totals = ControlTotals()
        (totals.rows, totals.rejected) = (rows, rejected)
        (totals.firstEvent, totals.lastEvent) = (firstEvent, lastEvent)
        totals.hashTotal = hashTotal
        for (text, minor) in amounts {
            guard let currency = Currency(bytes: text.utf8) else { return nil }
            totals.amounts[currency] = minor
        }
        return TakenFile.Contents(
            digest: digest,
            stamp: FileStamp(
                device: UInt64(bitPattern: stamp[0]), inode: UInt64(bitPattern: stamp[1]), bytes: stamp[2],
                modified: stamp[3], changed: stamp[4]), totals: totals, isListCut: isListCut,
            ignoredColumns: ignoredColumns, leftOut: leftOut, amountsWithoutCurrency: amountsWithoutCurrency,
            verified: [])
    }
}
