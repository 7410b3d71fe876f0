// What a backend may deliver through Intake: the first byte chooses the feed's kind, the second how the file is told and
// read, the rest is the file. Read in one piece and in small blocks it must come to the same.
import AppStore
import Domain
import Glibc
import Intake

private let appStore = AppStoreSettings(
    bundles: ["com.example"], environment: .production, now: Instant(milliseconds: 1_800_000_000_000))
/// Of all kinds but Apple's reports, which Intake does not look into.
private let kinds: [FeedKind] = [.orders, .credits, .transactions, .receipts, .acks, .products, .orderLookups]
private let formats: [FileFormat?] = [.csv, .tsv, .jsonl, nil]
/// One file, written anew for each input.
private let descriptor: Int32 = {
    var path = Array("/dev/shm/fuzz.XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    unlink(path)
    return descriptor
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let start, count >= 2 else { return 0 }
    let kind = kinds[Int(start[0]) % kinds.count]
    let how = Int(start[1])
    precondition(ftruncate(descriptor, 0) == 0 && pwrite(descriptor, start + 2, count - 2, 0) == count - 2)
    let date = BusinessDate("2025-11-18")!
    let file = FoundFile(
        feed: 0, path: "/proc/self/fd/\(descriptor)", name: "f", fileDate: date, isDated: true)
    var feed = Feed(kind: kind, path: file.path, name: file.name, trust: how & 4 == 0 ? .backend : .signature)
    feed.format = formats[how % 4]
    if how & 8 != 0 { feed.columns = ["order_id": "product_id", "account_id": "a"] }
    if how & 32 != 0 {
        feed.columns = [
            "order_id": ColumnSource(name: "a.b", prefix: "W"), "account_id": "a.b", "credit_id": "a.c",
            "status": ColumnSource(name: "s", words: ["": "paid", "1": "credited"]),
            "product_id": ColumnSource(value: "p"),
        ]
        if feed.format == nil { feed.format = .json }
    }
    if how & 64 != 0 { feed.conditions = ["s": ["", "1"], "a.d": ["x"]] }
    if how & 128 != 0 { feed.encoding = [.gbk, .gb18030, .utf16][count % 3] }
    let whole = outcome(file, feed, blockBytes: 1 << 17, share: how & 16 == 0 ? 1_000_000 : 10_000)
    // What is told by the content is told by its first piece.
    let pieces = outcome(
        file, feed, blockBytes: feed.format == nil ? 1 << 16 : 16 + how * 8, share: how & 16 == 0 ? 1_000_000 : 10_000)
    precondition(whole == pieces, "\(whole)\n\(pieces)")
    return 0
}

/// What was read, as text.
private func outcome(_ file: FoundFile, _ feed: Feed, blockBytes: Int, share: Int) -> String {
    let settings = IntakeSettings(appStore: appStore, maxRejectedPartsPerMillion: share, blockBytes: blockBytes)
    guard let outcome = try? read(file, feed: feed, delivery: 1, settings: settings) else {
        preconditionFailure("a file that is there can be read")
    }
    switch outcome {
    case .refused(let refusal):
        precondition(refusal.rejected <= refusal.rows && refusal.rejects.count <= Refusal.rejectsMax)
        // Of two reasons the one that is met first is said.
        return "refused"
    case .read(let contents):
        let totals = contents.totals
        precondition(totals.rejected <= totals.rows && totals.rejected == contents.rejects.count)
        precondition(zip(contents.rejects, contents.rejects.dropFirst()).allSatisfy { $0.line <= $1.line })
        precondition(contents.rejects.allSatisfy { $0.row.count <= 4096 })
        return "read: \(totals.rows) \(totals.rejected) \(totals.hashTotal) \(keys(of: contents.evidence))"
            + " \(contents.rejects.map(\.line))"
    }
}

/// Whose copies stand in which lines, and what they are worth. The hash total has each key.
private func keys(of evidence: Evidence) -> [String] {
    evidence.orders.map { "o\($0.source.line) \($0.id.text) \($0.amount?.minor ?? -1) \($0.createdAt.milliseconds)" }
        + evidence.credits.map { "c\($0.source.line) \($0.id.text) \($0.creditedAt.milliseconds)" }
        + evidence.transactions.map { "t\($0.source.line) \($0.id.text) \($0.price?.thousandths ?? -1)" }
        + evidence.receipts.map { "r\($0.source.line) \($0.account.text) \($0.content.hex)" }
        + evidence.products.map { "p\($0.source.line) \($0.id.text) \($0.price?.minor ?? -1)" }
        + evidence.acknowledgements.map { "a\($0.source.line) \($0.key)" }
}
