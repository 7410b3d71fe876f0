import CCrypto
import Foundation

/// ASN.1's tag, length and content in DER.
func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
        length.insert(UInt8(rest & 255), at: 0)
        rest >>= 8
    }
    let size = content.count < 128 ? [UInt8(content.count)] : [0x80 | UInt8(length.count)] + length
    return [tag] + size + content
}

func utf8(_ text: String) -> [UInt8] { der(0x0C, Array(text.utf8)) }
func ia5(_ text: String) -> [UInt8] { der(0x16, Array(text.utf8)) }

func integer(_ value: Int64) -> [UInt8] {
    var bytes = withUnsafeBytes(of: value.bigEndian) { Array($0) }
    while bytes.count > 1, bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80 {
        bytes.removeFirst()
    }
    return der(0x02, bytes)
}

func attribute(_ type: Int64, _ value: [UInt8]) -> [UInt8] { der(0x30, integer(type) + integer(1) + der(0x04, value)) }

/// The content of a receipt; valid unless changed.
struct TestReceipt {
    var type = "Production"
    var bundle = "com.example.game"
    var appAppleID: Int64 = 1234
    var createdAt = "2026-01-01T00:00:00Z"
    var purchases: [[UInt8]] = [TestReceipt.purchase("1001"), TestReceipt.purchase("1002")]

    static func purchase(
        _ id: String, at purchasedAt: String = "2025-12-31T23:00:00Z", cancelledAt: String = "",
        expires: String = "", product: String = "coins_60", original: String = "1000", more: [[UInt8]] = []
    ) -> [UInt8] {
        let attributes =
            [
                attribute(1701, integer(2)), attribute(1702, utf8(product)), attribute(1703, utf8(id)),
                attribute(1704, ia5(purchasedAt)), attribute(1705, utf8(original)),
                attribute(1706, ia5("2025-12-01T00:00:00Z")), attribute(1707, integer(1)),
                attribute(1708, ia5(expires)), attribute(1711, integer(2_000_000_123_357_229)),
                attribute(1712, ia5(cancelledAt)),
            ] + more
        return der(0x31, attributes.flatMap { $0 })
    }

    var content: [UInt8] {
        let attributes =
            [
                attribute(0, utf8(type)), attribute(1, integer(appAppleID)), attribute(2, utf8(bundle)),
                attribute(3, utf8("2.0")), attribute(4, [1, 2, 3, 0xFF]), attribute(12, ia5(createdAt)),
                attribute(19, utf8("1.0")), attribute(21, ia5("4001-01-01T00:00:00Z")),
            ] + purchases.map { attribute(17, $0) }
        return der(0x31, attributes.flatMap { $0 })
    }
}

/// A receipt-signing chain of RSA keys. It is made once, because RSA keys are slow to generate.
enum ReceiptChain {
    static let good = TestChain(
        root: rsa(.root).issued(), intermediate: rsa(.intermediate), leaf: rsa(.leaf))
    static let stranger = TestChain(
        root: rsa(.root).issued(), intermediate: rsa(.intermediate), leaf: rsa(.leaf))
    static let lone = rsa(.leaf).with { $0.markers = [] }.issued()

    static func rsa(_ request: CertificateRequest) -> CertificateRequest { request.with { $0.kind = .rsa } }

    static func with(
        intermediate: CertificateRequest = .intermediate, leaf: CertificateRequest = .leaf
    ) -> TestChain {
        TestChain(root: good.root, intermediate: rsa(intermediate), leaf: rsa(leaf))
    }
}

/// A PKCS#7 container around some content, signed as Apple signs it unless changed.
struct TestContainer {
    var content: [UInt8]
    var signers: [Identity]
    /// Further certificates.
    var certificates: [Identity]
    var digest = EVP_sha256()
    var signsAttributes = false

    init(_ content: [UInt8], _ chain: TestChain = ReceiptChain.good) {
        self.content = content
        signers = [chain.leaf]
        certificates = [chain.intermediate, chain.root]
    }

    private var flags: Int32 { PKCS7_BINARY | PKCS7_NOSMIMECAP | (signsAttributes ? 0 : PKCS7_NOATTR) }

    /// Calls `write` with the container; its content is read from the given source.
    private func build(_ more: Int32, _ write: (UnsafeMutablePointer<PKCS7>, OpaquePointer) -> Void) {
        let stack = OPENSSL_sk_new_null()
        let (others, signers) = (certificates.map { $0.opened() }, signers.map { $0.opened() })
        for identity in others { OPENSSL_sk_push(stack, UnsafeRawPointer(identity.certificate)) }
        let source = BIO_new_mem_buf(content, Int32(content.count))!
        let container = PKCS7_sign(nil, nil, stack, source, flags | more)!
        for signer in signers {
            PKCS7_sign_add_signer(container, signer.certificate, signer.key, digest, flags | more)
        }
        write(container, source)
        PKCS7_free(container)
        BIO_free(source)
        OPENSSL_sk_free(stack)
        withExtendedLifetime((others, signers)) {}
    }

    var der: [UInt8] {
        var bytes: [UInt8] = []
        build(PKCS7_PARTIAL) { container, source in
            precondition(PKCS7_final(container, source, flags) == 1, "libcrypto could not sign")
            bytes = encoded { i2d_PKCS7(container, &$0) }
        }
        return bytes
    }

    /// With indefinite lengths and the content in pieces, as Xcode writes it.
    var ber: [UInt8] {
        var bytes: [UInt8] = []
        build(PKCS7_STREAM) { container, source in
            let out = BIO_new(BIO_s_mem())
            precondition(i2d_PKCS7_bio_stream(out, container, source, flags | PKCS7_STREAM) == 1)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            bytes = Array(buffer[..<Int(BIO_read(out, &buffer, Int32(buffer.count)))])
            BIO_free(out)
        }
        return bytes
    }
}

func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

/// An old-style receipt with the fields of its single purchase; signed if a signer is given.
func oldStyle(_ fields: [(String, String)], signer: Identity? = nil, signs spoilt: String = "") -> String {
    func list(_ entries: [(String, String)]) -> String {
        "{\n" + entries.map { "\t\"\($0)\" = \"\($1)\";\n" }.joined() + "}"
    }
    let info = list(fields)
    var entries = [("purchase-info", base64(Array(info.utf8))), ("environment", "Sandbox"), ("pod", "100")]
    if let signer {
        let message = [2] + Array((info + spoilt).utf8)
        var count = 512
        var signature = [UInt8](repeating: 0, count: count)
        let (context, opened) = (EVP_MD_CTX_new(), signer.opened())
        EVP_DigestSignInit(context, nil, EVP_sha1(), nil, opened.key)
        EVP_DigestSign(context, &signature, &count, message, message.count)
        EVP_MD_CTX_free(context)
        withExtendedLifetime(opened) {}
        let length = withUnsafeBytes(of: UInt32(signer.der.count).bigEndian) { Array($0) }
        entries.append(("signature", base64([2] + signature[..<count] + length + signer.der)))
    }
    return base64(Array(list(entries).utf8))
}
