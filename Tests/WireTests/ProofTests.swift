import Base
import Domain
import Foundation
import Testing

@testable import Engine

/// What a part was judged from, as it travels.
@Suite struct ProofTests {
    @Test func aProofOfManyFilesComesBack() throws {
        for count in 0...40 {
            var proof = PartProof()
            for number in 0..<Int32(count) {
                for sum: Int64 in [.max, .min, Int64(number)] { proof.add(sum, of: DeliveryID(number)) }
            }
            #expect(throws: Never.self, "\(count) files") {
                let text = try JSONEncoder.exact.text(of: proof)
                try #require(JSONDecoder().value(of: text) == proof)
            }
        }
    }
}
