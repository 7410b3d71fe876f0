internal import CMalloc
internal import Foundation
internal import Intake

/// Estimates from the sizes of a night's files, before any is read, whether the night fits into memory. See
/// ARCHITECTURE.md#the-engine-works-in-memory-sql-does-not-do-the-join.
///
/// The evidence of all the night's files is in memory at once. A million purchases with their orders, credits and
/// receipts are 1.1 GB of files and take 1.0 GB (docs/build/performance.md), so one byte of memory for each byte of
/// file is a safe estimate. A compressed file counts as ten times its size.
struct MemoryNeed {
    private static let packing: Int64 = 10
    /// The size of a row in the shortest feed: credits as CSV.
    private static let rowBytes: Int64 = 90
    private var files: [(bytes: Int64, isOptional: Bool)] = []

    /// Adds a file. An optional one may be left out.
    mutating func add(_ file: FoundFile, _ stamp: FileStamp, isOptional: Bool) {
        files.append((file.path.hasSuffix(".gz") ? stamp.bytes * Self.packing : stamp.bytes, isOptional))
    }

    /// The files to leave out, as indices in the order in which they were added: the largest optional ones, until the
    /// others fit. Optional are the feeds that clients fill, so a client cannot keep a night from running.
    ///
    /// - Parameter available: free memory in bytes. Nil if unknown; then everything fits.
    /// - Throws: `Failure` with `inputRefused` if the other files alone do not fit.
    func leftOut(available: Int64?) throws(Failure) -> Set<Int> {
        var bytes = files.reduce(0) { $0 + $1.bytes }
        guard let available, bytes > available else { return [] }
        var leftOut = Set<Int>()
        let optional = files.indices.filter { files[$0].isOptional }
        for number in optional.ordered(by: { files[$0].bytes > files[$1].bytes }) where bytes > available {
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

    /// The memory that Linux can provide without swapping, in bytes. Nil if it does not say.
    /// https://docs.kernel.org/filesystems/proc.html#meminfo
    @Sendable static func available() -> Int64? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }
}

/// Returns freed memory to the system. After millions of cases are matched and judged, it is hundreds of MiB, and the
/// writing that follows needs little of it.
func releaseFreedMemory() { _ = malloc_trim(0) }
