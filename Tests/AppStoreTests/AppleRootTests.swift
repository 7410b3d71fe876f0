import Base
import Testing

@testable import AppStore

@Suite("The roots that are built in")
struct AppleRootTests {
    /// The fingerprints that Apple publishes.
    static let fingerprints = [
        "Apple Root CA": "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
        "Apple Root CA - G2": "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
        "Apple Root CA - G3": "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
    ]

    @Test func areApplesByFingerprint() throws {
        for der in AppleRoots.all {
            let root = try #require(Certificate(der: der))
            let digest = der.withUnsafeBytes { SHA256.digest(of: $0).hex }
            #expect(Self.fingerprints[root.name] == digest)
        }
        #expect(AppleRoots.all.count == 3)
    }
}
