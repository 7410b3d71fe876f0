internal import AppStore
internal import Foundation

extension Configuration {
    /// How Apple's records are checked.
    /// - Throws: `Failure` with `configuration` as `rootCertificates` does.
    func appStoreSettings(now: Instant) throws(Failure) -> AppStoreSettings {
        appStoreSettings(now: now, roots: try rootCertificates())
    }

    /// The same with the certificates at hand, as DER.
    func appStoreSettings(now: Instant, roots: [[UInt8]]) -> AppStoreSettings {
        AppStoreSettings(
            bundles: policy.bundles, environment: policy.environment, trustedRoots: roots, now: now,
            appAppleID: appAppleID)
    }

    /// The certificates that `trustedRoots` names, as DER.
    /// - Throws: `Failure` with `configuration` if a file contains no certificate or cannot be read.
    func rootCertificates() throws(Failure) -> [[UInt8]] {
        var found: [[UInt8]] = []
        for path in trustedRoots {
            let content = FileManager.default.contents(atPath: path).flatMap { TrustedRoot.certificates(Array($0)) }
            guard let content else {
                throw Failure(
                    .configuration, "trustedRoots: \(quoted(path)) contains no certificate",
                    remedy: "Name a readable file in DER or PEM format.")
            }
            found += content
        }
        return found
    }
}
