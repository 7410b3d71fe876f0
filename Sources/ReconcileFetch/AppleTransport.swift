internal import Base
internal import Console
internal import Fetch
internal import HTTP

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
        guard let standIn else { return try client.send(request, to: "https://" + server.rawValue) }
        // One stand-in answers for all of Apple's servers.
        var request = request
        request.headers["X-Stand-In-For"] = server.rawValue
        return try client.send(request, to: standIn.address)
    }
}
