import AppStore
import Domain

let january: Int64 = 1_767_225_600_000  // 2026-01-01T00:00:00Z

func settings(
    roots: [[UInt8]] = [], now: Instant = Instant(milliseconds: january + 86_400_000), appAppleID: Int64? = nil,
    isKnownSignature: @escaping @Sendable (Digest256) -> Bool = { _ in false }
) -> AppStoreSettings {
    AppStoreSettings(
        bundles: ["com.example.game"], environment: .production, trustedRoots: roots, now: now,
        appAppleID: appAppleID, isKnownSignature: isKnownSignature)
}

let source = Provenance(delivery: 3, line: 7, fileDate: BusinessDate(day: 20_000))

extension LineOutcome {
    var rejectedColumns: [String?] { rejects.map(\.column) }
}

/// What a new reader reads from one line.
func read(_ line: String, trusted: Bool = true, settings: AppStoreSettings = settings()) -> LineOutcome {
    read(Array(line.utf8), trusted: trusted, settings: settings)
}

func read(_ line: [UInt8], trusted: Bool = true, settings: AppStoreSettings = settings()) -> LineOutcome {
    let reader = TransactionLineReader(settings: settings)
    return line.withUnsafeBytes { reader.read($0, isBackendTrusted: trusted, source: source) }
}

/// A decoded transaction in which `fields` replace the usual ones or are added to them. An empty value removes a field.
func payload(_ fields: [String: String] = [:]) -> String {
    let usual = [
        "transactionId": "\"2000000000000001\"", "productId": "\"coins_60\"", "bundleId": "\"com.example.game\"",
        "purchaseDate": "\(january)", "signedDate": "\(january + 400)", "environment": "\"Production\"",
    ]
    let all = usual.merging(fields) { $1 }.filter { !$0.value.isEmpty }
    return "{" + all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
}
