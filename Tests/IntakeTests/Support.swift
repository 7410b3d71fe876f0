import AppStore
import Base
import CZlib
import Domain
import Foundation
import Intake
import Testing

/// A folder for one test. It is deleted together with this value.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "intake-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        let file = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

    func file(_ name: String) -> FoundFile {
        FoundFile(feed: 0, path: path + "/" + name, name: name, fileDate: testDate, isDated: true)
    }
}

let testAppStore = AppStoreSettings(
    bundles: ["com.example.game"], environment: .production, now: Instant(milliseconds: 1_798_761_600_000))

let testDate = BusinessDate("2025-11-18")!

func feed(
    _ kind: FeedKind, format: FileFormat? = nil, columns: [String: ColumnSource] = [:], zone: Zone = .utc
) -> Feed {
    Feed(kind: kind, path: "/unused", name: "unused", format: format, columns: columns, zone: zone)
}

/// The result of reading a file with these bytes.
func outcome(
    _ bytes: some Sequence<UInt8>, _ feed: Feed, name: String = "file", share: Int = 1_000_000, threads: Int = 1,
    block: Int = 1 << 16
) throws -> ReadOutcome {
    let folder = try Folder()
    try folder.write(bytes, to: name)
    let settings = IntakeSettings(
        appStore: testAppStore, maxRejectedPartsPerMillion: share, threads: threads, blockBytes: block)
    return try read(folder.file(name), feed: feed, delivery: 7, settings: settings)
}

/// The contents of a file that must not be refused.
func contents(
    _ text: String, _ feed: Feed, name: String = "file.csv", threads: Int = 1, block: Int = 1 << 16
) throws -> FileContents {
    try contents(Array(text.utf8), feed, name: name, threads: threads, block: block)
}

func contents(
    _ bytes: [UInt8], _ feed: Feed, name: String = "file.csv", threads: Int = 1, block: Int = 1 << 16
) throws -> FileContents {
    switch try outcome(bytes, feed, name: name, threads: threads, block: block) {
    case .read(let contents): return contents
    case .refused(let refusal): throw Unexpected(what: refusal.reason)
    }
}

/// The reason for refusing a file that must be refused.
func refusal(_ bytes: some Sequence<UInt8>, _ feed: Feed, name: String = "file.csv", share: Int = 10_000) throws
    -> Refusal
{
    switch try outcome(bytes, feed, name: name, share: share) {
    case .read: throw Unexpected(what: "the file was read")
    case .refused(let refusal): return refusal
    }
}

struct Unexpected: Error { var what: String }

/// One gzip member.
func gzip(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var input = Array(bytes)
    var output = [UInt8](repeating: 0, count: input.count + 1024)
    var stream = z_stream()
    let count = input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            stream.next_out = output.baseAddress
            stream.avail_out = uInt(output.count)
            deflateInit2_(
                &stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
            let result = deflate(&stream, Z_FINISH)
            precondition(result == Z_STREAM_END)
            deflateEnd(&stream)
            return Int(stream.total_out)
        }
    }
    return Array(output.prefix(count))
}

let orderHeader = "order_id,account_id,product_id,status,created_at"

/// An order's row under `orderHeader`.
func orderRow(_ id: String) -> String { id + ",acct1,coins_60,paid,2025-11-18T03:04:05Z" }

func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { SHA256.digest(of: $0) }.bytes }
