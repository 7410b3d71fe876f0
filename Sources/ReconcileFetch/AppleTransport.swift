internal import AppleAPI
internal import Console
internal import HTTP
internal import Parallel

/// Carries requests to Apple's fixed hosts over HTTPS.
final class AppleTransport: Transport {
    private let client: HTTPClient
    private let standIn: StandIn?

    init(standIn: StandIn?) {
        self.standIn = standIn
        client = HTTPClient(
            agent: "reconcile", authority: standIn?.authority,
            isCancelled: { Interruption.process.isRequested })
    }

    func send(_ request: Request, to server: Server) throws(TransportError) -> Response {
        let base = standIn.map(\.address) ?? "https://" + server.rawValue
        var headers = request.headers.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        // One stand-in answers for all of Apple's servers.
        if standIn != nil { headers.append((name: "X-Stand-In-For", value: server.rawValue)) }
        do {
            let response = try client.send(
                HTTPRequest(
                    method: request.method, url: base + request.path, headers: headers, body: request.body,
                    bytesMax: request.bytesMax))
            return Response(status: response.status, headers: response.headers, body: response.body)
        } catch {
            switch error {
            case .broken(let reason): throw .broken(reason)
            case .untrusted(let reason): throw .untrusted(reason)
            case .tooLarge: throw .tooLarge
            case .cancelled: throw .cancelled
            case .unusable(let reason): throw .untrusted(reason)
            }
        }
    }
}
