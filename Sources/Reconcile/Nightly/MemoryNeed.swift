internal import Domain
internal import Foundation
internal import Intake

/// Whether a night fits into memory, estimated from its files before any of them is read. ARCHITECTURE §6.
///
/// Evidence of all the night's files lies in memory at once. A million purchases, their orders, credits and receipts are
/// 1.1 GB of files and take 1.0 GB (docs/performance.md), so a byte of memory a byte of file is on the safe side; what is
/// packed is ten times as large unpacked.
struct MemoryNeed {
    private static let packing: Int64 = 10
    /// Of a row, in the shortest feeds: credits as CSV.
    private static let rowBytes: Int64 = 90
    private var bytes: Int64 = 0

    mutating func add(_ file: FoundFile, _ stamp: FileStamp) {
        bytes += file.path.hasSuffix(".gz") ? stamp.bytes * Self.packing : stamp.bytes
    }

    /// - Parameter available: in bytes; nil where the system does not say, and nothing is refused.
    func check(available: Int64?) throws(Failure) {
        guard let available, bytes > available else { return }
        throw Failure(
            .inputRefused,
            "the night's files of up to \(bytes / Self.rowBytes) rows take about \(Self.size(bytes)) of memory, "
                + "and \(Self.size(available)) are free",
            remedy: "Nothing was changed. Move the files of the later dates away and run date by date, "
                + "or run where there is more memory.")
    }

    private static func size(_ bytes: Int64) -> String { "\(bytes >> 20) MiB" }

    /// What the system could give without swapping, as Linux says. https://docs.kernel.org/filesystems/proc.html#meminfo
    @Sendable static func available() -> Int64? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }
}
