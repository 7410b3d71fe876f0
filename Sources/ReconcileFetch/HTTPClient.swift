internal import CCurl
internal import Fetch
internal import Glibc

/// Sends HTTPS requests one after the other over one connection, through libcurl's easy interface.
///
/// It speaks HTTPS with TLS 1.2 or later only, follows no redirect, sends no cookie and reads no netrc file. Time and
/// size are limited. Use one object in one thread.
final class HTTPClient: Transport {
    struct Limits {
        /// Seconds until the connection stands.
        var connecting = 15
        /// A transfer slower than `bytesPerSecond` for so many seconds ends.
        var slowSeconds = 30
        /// See `slowSeconds`.
        var bytesPerSecond = 1000
        /// Seconds for the whole of a transfer.
        var whole = 300
    }

    private let handle: UnsafeMutableRawPointer
    private let transfer: Transfer
    private let standIn: StandIn?
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - standIn: answers in place of Apple's servers. Its certificates replace the system's authorities, and the
    ///     environment's proxy is not used.
    ///   - isCancelled: asked several times a second during a transfer.
    init(
        agent: String, standIn: StandIn? = nil, limits: Limits = Limits(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        guard Self.isReady, let handle = curl_easy_init() else { preconditionFailure("libcurl cannot start") }
        self.handle = handle
        self.standIn = standIn
        transfer = Transfer(isCancelled: isCancelled)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        check(reconcile_curl_allow_https_only(handle))
        set(CURLOPT_CONNECTTIMEOUT, limits.connecting)
        set(CURLOPT_LOW_SPEED_TIME, limits.slowSeconds)
        set(CURLOPT_LOW_SPEED_LIMIT, limits.bytesPerSecond)
        set(CURLOPT_TIMEOUT, limits.whole)
        set(CURLOPT_USERAGENT, agent)
        set(CURLOPT_NOPROGRESS, 0)
        // Safe because the transfer lives as long as the handle.
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_XFERINFODATA] {
            check(reconcile_curl_set_pointer(handle, option, context))
        }
        check(reconcile_curl_set_writer(handle, CURLOPT_WRITEFUNCTION, Transfer.takeBody))
        check(reconcile_curl_set_writer(handle, CURLOPT_HEADERFUNCTION, Transfer.takeHeader))
        check(reconcile_curl_set_progress(handle, Transfer.goOn))
        guard let standIn else { return }
        set(CURLOPT_CAINFO, standIn.authority)
        check(reconcile_curl_set_text(handle, CURLOPT_CAPATH, nil))
        set(CURLOPT_PROXY, "")
    }

    deinit { curl_easy_cleanup(handle) }

    func send(_ request: Request, to server: Server) throws(TransportError) -> Response {
        guard let standIn else { return try send(request, to: "https://" + server.rawValue) }
        // One stand-in answers for all of Apple's servers.
        var request = request
        request.headers["X-Stand-In-For"] = server.rawValue
        return try send(request, to: standIn.address)
    }

    /// - Parameter base: scheme and host, with which the request's path makes the address.
    func send(_ request: Request, to base: String) throws(TransportError) -> Response {
        transfer.begin(bytesMax: request.bytesMax)
        set(CURLOPT_URL, base + request.path)
        var list: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(list) }
        // libcurl would wait for the server's consent to a body.
        for header in request.headers.map({ $0.key + ": " + $0.value }).sorted() + ["Expect:"] {
            list = curl_slist_append(list, header)
        }
        check(reconcile_curl_set_pointer(handle, CURLOPT_HTTPHEADER, list))
        let code = request.body.withUnsafeBytes { body in
            if request.method == "POST" {
                check(reconcile_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
                let start = UnsafeMutableRawPointer(mutating: body.baseAddress)
                check(reconcile_curl_set_pointer(handle, CURLOPT_POSTFIELDS, start))
                set(CURLOPT_POST, 1)
            } else {
                set(CURLOPT_HTTPGET, 1)
            }
            return curl_easy_perform(handle)
        }
        guard code == CURLE_OK else { throw error(code) }
        var status = 0
        check(reconcile_curl_get_number(handle, CURLINFO_RESPONSE_CODE, &status))
        return Response(status: status, headers: transfer.headers, body: transfer.body)
    }

    private func error(_ code: CURLcode) -> TransportError {
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_ABORTED_BY_CALLBACK: return .cancelled
        case CURLE_WRITE_ERROR where transfer.isTooLarge: return .tooLarge
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CIPHER:
            return .untrusted(reason)
        // Not a server that the product names.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT:
            return .untrusted(reason)
        case CURLE_OPERATION_TIMEDOUT: return .broken("the transfer was too slow or took too long")
        default: return .broken(reason)
        }
    }

    private func set(_ option: CURLoption, _ value: Int) { check(reconcile_curl_set_number(handle, option, value)) }

    private func set(_ option: CURLoption, _ value: String) { check(reconcile_curl_set_text(handle, option, value)) }

    private func check(_ code: CURLcode) {
        precondition(code == CURLE_OK, "libcurl refuses an option: \(String(cString: curl_easy_strerror(code)))")
    }
}

/// What one transfer has received.
private final class Transfer {
    private(set) var headers: [String: String] = [:]
    private(set) var body: [UInt8] = []
    private(set) var isTooLarge = false
    private var bytesMax = 0
    private let isCancelled: @Sendable () -> Bool
    /// A server's headers are much smaller.
    private static let headersMax = 200

    init(isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

    func begin(bytesMax: Int) {
        headers.removeAll(keepingCapacity: true)
        body.removeAll(keepingCapacity: true)
        isTooLarge = false
        self.bytesMax = bytesMax
    }

    private static func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
        guard let context else { preconditionFailure("libcurl lost the transfer") }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// Returning another number than was offered ends the transfer.
    static let takeBody: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
        start, size, count, context in
        let transfer = transfer(context)
        guard transfer.body.count + size * count <= transfer.bytesMax else {
            transfer.isTooLarge = true
            return 0
        }
        transfer.body.append(contentsOf: UnsafeRawBufferPointer(start: start, count: size * count))
        return size * count
    }

    static let takeHeader: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
        start, size, count, context in
        let transfer = transfer(context)
        let line = String(decoding: UnsafeRawBufferPointer(start: start, count: size * count), as: UTF8.self)
        // An informational response (1xx) comes before the real one.
        if line.hasPrefix("HTTP/") { transfer.headers.removeAll(keepingCapacity: true) }
        if let colon = line.firstIndex(of: ":"), transfer.headers.count < headersMax {
            let value = line[line.index(after: colon)...]
            transfer.headers[line[..<colon].lowercased()] = String(value.trimmed)
        }
        return size * count
    }

    static let goOn:
        @convention(c) (UnsafeMutableRawPointer?, curl_off_t, curl_off_t, curl_off_t, curl_off_t) -> Int32 = {
            context, _, _, _, _ in transfer(context).isCancelled() ? 1 : 0
        }
}

extension Substring {
    /// Without white space at both ends.
    fileprivate var trimmed: Substring {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}
