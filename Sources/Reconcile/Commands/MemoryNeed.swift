internal import Domain
internal import Foundation
internal import Intake

/// Whether a night fits into memory, estimated from its files before any of them is read. ARCHITECTURE §6.
///
/// Evidence of all the night's files lies in memory at once. A million purchases, their orders, credits and receipts are
/// 1.1 GB of files and take 1.0 GB (docs/build/performance.md), so a byte of memory a byte of file is on the safe side.
/// A compressed file counts ten times its size.
struct MemoryNeed {
    private static let packing: Int64 = 10
    /// Of a row, in the shortest feeds: credits as CSV.
    private static let rowBytes: Int64 = 90
    private var files: [(bytes: Int64, isOptional: Bool)] = []

    mutating func add(_ file: FoundFile, _ stamp: FileStamp, isOptional: Bool) {
        files.append((file.path.hasSuffix(".gz") ? stamp.bytes * Self.packing : stamp.bytes, isOptional))
    }

    /// Which files, in the order they were added, do not fit beside the others: the largest of those that clients fill.
    ///
    /// - Parameter available: in bytes; nil where the system does not say, and everything fits.
    /// - Throws: `Failure` with `inputRefused` where the others alone do not fit.
    func leftOut(available: Int64?) throws(Failure) -> Set<Int> {
        var bytes = files.reduce(0) { $0 + $1.bytes }
        guard let available, bytes > available else { return [] }
        var leftOut = Set<Int>()
        let optional = files.indices.filter { files[$0].isOptional }
        for number in optional.sorted(by: { files[$0].bytes > files[$1].bytes }) where bytes > available {
            leftOut.insert(number)
            bytes -= files[number].bytes
        }
        guard bytes > available else { return leftOut }
        throw Failure(
            .inputRefused,
            "the night's files of up to \(bytes / Self.rowBytes) rows need about \(Self.size(bytes)) of memory, "
                + "but only \(Self.size(available)) are free",
            remedy: "Nothing was changed. Move the files of later dates away and run one date at a time, "
                + "or run on a machine with more memory.")
    }

    private static func size(_ bytes: Int64) -> String { "\(bytes >> 20) MiB" }

    /// What the system could give without swapping, as Linux says. https://docs.kernel.org/filesystems/proc.html#meminfo
    @Sendable static func available() -> Int64? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }
}
