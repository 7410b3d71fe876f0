/// A request to one of Apple's servers, without host and token.
public struct Request: Equatable, Sendable {
    /// `GET` or `POST`.
    public var method = "GET"
    /// Path and query.
    public var path: String
    /// `Accept`, `Content-Type` and `Authorization`, with their values.
    public var headers: [String: String] = [:]
    /// The body, for `POST`.
    public var body: [UInt8] = []
    /// The largest body that the response may have.
    public var bytesMax = 1 << 20
}

public enum Server: String, Sendable, CaseIterable {
    case production = "api.storekit.apple.com"
    case sandbox = "api.storekit-sandbox.apple.com"
    case connect = "api.appstoreconnect.apple.com"

    /// Its name in messages.
    public var name: String {
        switch self {
        case .production: "Apple"
        case .sandbox: "Apple's sandbox"
        case .connect: "App Store Connect"
        }
    }
}

/// A response, whatever its status.
public struct Response: Equatable, Sendable {
    public var status: Int
    /// Values by name in small letters. Of a repeated header the last value.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Why a request has no response.
public enum TransportError: Error, Equatable, Sendable {
    /// The server was not reached, or the connection broke: worth another attempt.
    case broken(String)
    /// The server's certificate does not hold, no common TLS version exists, or the address is not one of HTTPS.
    case untrusted(String)
    /// The body was larger than the request allows.
    case tooLarge
    case cancelled
}

/// Carries requests to Apple's servers, one after the other.
public protocol Transport: AnyObject {
    /// Sends a request and waits for the whole response, whatever its status.
    func send(_ request: Request, to server: Server) throws(TransportError) -> Response
}

/// Time and chance, as arguments.
public struct Surroundings {
    public var now: () -> Instant
    /// Waits. Throws if the program was asked to stop.
    public var sleep: (Milliseconds) throws -> Void
    /// A number from 0 to 1, other each time.
    public var chance: () -> Double
    /// Hears of what takes time: a wait, another attempt.
    public var note: (String) -> Void

    public init(
        now: @escaping () -> Instant, sleep: @escaping (Milliseconds) throws -> Void, chance: @escaping () -> Double,
        note: @escaping (String) -> Void = { _ in }
    ) {
        (self.now, self.sleep, self.chance, self.note) = (now, sleep, chance, note)
    }
}
