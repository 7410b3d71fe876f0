import CCrypto
import Foundation

func base64url(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}

/// The parts of a JWS. It is signed when it is written, so each part can be spoilt before or after signing.
struct TestJWS {
    var header: String
    var payload: String
    var signer: Identity

    init(_ payload: String, _ chain: TestChain, x5c: [[UInt8]]? = nil, algorithm: String = "ES256") {
        self.init(payload, signer: chain.leaf, x5c: x5c ?? chain.certificates, algorithm: algorithm)
    }

    init(_ payload: String, signer: Identity, x5c: [[UInt8]], algorithm: String = "ES256") {
        let certificates = x5c.map { "\"" + Data($0).base64EncodedString() + "\"" }.joined(separator: ",")
        header = "{\"alg\":\"\(algorithm)\",\"x5c\":[\(certificates)]}"
        self.payload = payload
        self.signer = signer
    }

    var signed: String { base64url(header.utf8) + "." + base64url(payload.utf8) }
    var text: String { signed + "." + base64url(rawSignature) }

    /// r and s, 32 bytes each.
    var rawSignature: [UInt8] {
        let (r, s) = signaturePair
        return r + s
    }

    var derSignature: [UInt8] {
        let (context, signer) = (EVP_MD_CTX_new(), signer.opened())
        defer {
            EVP_MD_CTX_free(context)
            withExtendedLifetime(signer) {}
        }
        let message = Array(signed.utf8)
        var count = 256
        var signature = [UInt8](repeating: 0, count: count)
        EVP_DigestSignInit(context, nil, EVP_sha256(), nil, signer.key)
        precondition(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
        return Array(signature[..<count])
    }

    var signaturePair: (r: [UInt8], s: [UInt8]) {
        let der = derSignature
        return der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let pair = d2i_ECDSA_SIG(nil, &cursor, bytes.count)
            defer { ECDSA_SIG_free(pair) }
            return (padded(ECDSA_SIG_get0_r(pair)), padded(ECDSA_SIG_get0_s(pair)))
        }
    }

    private func padded(_ number: OpaquePointer?) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        BN_bn2binpad(number, &bytes, 32)
        return bytes
    }
}

/// n − s: the other value of s with which the same ECDSA signature is valid.
func complement(_ s: [UInt8]) -> [UInt8] {
    let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
    let number = BN_bin2bn(s, 32, nil)
    defer {
        EC_GROUP_free(group)
        BN_free(number)
    }
    BN_sub(number, EC_GROUP_get0_order(group), number)
    var bytes = [UInt8](repeating: 0, count: 32)
    BN_bn2binpad(number, &bytes, 32)
    return bytes
}
