import AppStore
import Domain

@testable import Signing

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

extension TransactionLineReader {
    /// The outcome of one line alone.
    func read(_ line: UnsafeRawBufferPointer, isBackendTrusted: Bool, source: Provenance) -> LineOutcome {
        var outcome = LineOutcome()
        read(line, isBackendTrusted: isBackendTrusted, source: source, into: &outcome)
        return outcome
    }
}
