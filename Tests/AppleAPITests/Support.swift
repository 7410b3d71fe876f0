import CCrypto
import Domain
import Foundation

@testable import Fetch

/// Answers requests from a list, and keeps them.
final class ScriptedTransport: Transport {
    private var steps: [Result<Response, TransportError>]
    private(set) var requests: [(request: Request, server: Server)] = []

    /// The last step answers all further requests.
    init(_ steps: [Result<Response, TransportError>]) { self.steps = steps }

    convenience init(_ responses: Response...) { self.init(responses.map { .success($0) }) }

    convenience init(failing error: TransportError) { self.init([.failure(error)]) }

    func send(_ request: Request, to server: Server) throws(TransportError) -> Response {
        requests.append((request, server))
        let step = steps.count > 1 ? steps.removeFirst() : steps[0]
        return try step.get()
    }
}

/// A clock that moves only when the client waits.
final class TestTime {
    var now = Instant(milliseconds: 1_795_392_000_000)
    private(set) var waits: [Int64] = []

    var surroundings: Surroundings {
        Surroundings(
            now: { self.now },
            sleep: {
                self.waits.append($0.count)
                self.now = self.now + $0
            }, chance: { 0.5 })
    }
}

extension Response {
    /// Status 200 with a body.
    static func page(_ text: String) -> Response { Response(status: 200, body: Array(text.utf8)) }

    static func error(_ status: Int, _ code: Int, _ headers: [String: String] = [:]) -> Response {
        Response(
            status: status, headers: headers,
            body: Array("{\"errorCode\":\(code),\"errorMessage\":\"Something.\"}".utf8))
    }

    /// A page of the history with these payloads.
    static func history(_ payloads: [String], next: String? = nil) -> Response {
        let items = payloads.map { "{\"signedPayload\":\"\($0)\",\"sendAttempts\":[]}" }.joined(separator: ",")
        let rest = next.map { ",\"paginationToken\":\"\($0)\",\"hasMore\":true" } ?? ",\"hasMore\":false"
        return .page("{\"notificationHistory\":[\(items)]\(rest)}")
    }
}

/// A new P-256 key in PEM.
func newKey() -> [UInt8] {
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { EVP_PKEY_CTX_free(context) }
    EVP_PKEY_keygen_init(context)
    EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
    var key: OpaquePointer?
    precondition(EVP_PKEY_generate(context, &key) == 1, "libcrypto could not make a key")
    defer { EVP_PKEY_free(key) }
    let memory = BIO_new(BIO_s_mem())
    defer { BIO_free(memory) }
    PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = BIO_read(memory, &bytes, Int32(bytes.count))
    return Array(bytes.prefix(Int(count)))
}

func credentials(_ pem: [UInt8] = newKey()) -> Credentials {
    guard let key = PrivateKey(pem: pem) else { preconditionFailure("not a key") }
    return Credentials(issuerID: "issuer-1", keyID: "KEY1", key: key)
}

func client(_ transport: ScriptedTransport, _ time: TestTime = TestTime(), rate: Int = 25) -> AppleClient {
    AppleClient(credentials(), transport: transport, surroundings: time.surroundings, rate: rate)
}

extension AppleClient {
    /// The payloads of a range, with the number of pages.
    func payloads(
        _ note: (String, String?) -> Void = { _, _ in }
    ) throws -> (texts: [String], unsigned: [String], pages: Int) {
        var texts: [String] = []
        var unsigned: [String] = []
        let pages = try notifications(
            of: "com.example.game", on: .production, from: Instant(milliseconds: 1000),
            to: Instant(milliseconds: 2000)
        ) { notification in
            guard let payload = notification.signedPayload else {
                return unsigned.append(String(decoding: notification.item, as: UTF8.self))
            }
            let text = String(decoding: payload, as: UTF8.self)
            note(text, notification.failure)
            texts.append(text)
        }
        return (texts, unsigned, pages)
    }
}
