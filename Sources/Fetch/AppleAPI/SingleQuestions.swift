internal import Foundation

/// What Apple says about one transaction.
enum TransactionAnswer: Equatable, Sendable {
    /// The signed transaction (JWS), and where it was found.
    case found(String, Server)
    /// Apple knows no such transaction (4040010), or the id cannot be one (4000006).
    case unknown(code: Int)
}

/// What Apple says about the order id of its e-mail.
struct OrderAnswer: Equatable, Sendable {
    /// 0 for an order of the app, 1 for none.
    var status: Int
    /// The signed transactions (JWS).
    var signedTransactions: [String]
}

extension AppleClient {
    /// Get Transaction Info. What production does not know is looked for in the sandbox. A text that cannot be a
    /// transaction id is answered without asking, with Apple's own code (4000006): clients choose these texts, and one
    /// could change the path of the request.
    ///
    /// - Throws: `AppleError`, and what `sleep` throws.
    func transaction(_ id: String, of bundle: String, on server: Server) throws -> TransactionAnswer {
        guard (1...32).contains(id.utf8.count), id.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return .unknown(code: 4_000_006)
        }
        let servers: [Server] = server == .production ? [.production, .sandbox] : [server]
        for server in servers {
            let question = Question(
                path: "/inApps/v1/transactions/" + Self.escaped(id), server: server, bundle: bundle)
            do {
                return try ask(question) { response in
                    let signed = try Self.signed("signedTransactionInfo", of: response.body)
                    return .found(signed, server)
                }
            } catch AppleError.refused(_, 4_040_010, _) {
                continue
            } catch AppleError.refused(_, 4_000_006, _) {
                return .unknown(code: 4_000_006)
            }
        }
        return .unknown(code: 4_040_010)
    }

    /// Look Up Order ID, which Apple offers for production only.
    ///
    /// - Throws: `AppleError`, and what `sleep` throws.
    func order(_ id: String, of bundle: String) throws -> OrderAnswer {
        let question = Question(
            path: "/inApps/v1/lookup/" + Self.escaped(id), server: .production, bundle: bundle, weight: 5)
        return try ask(question) { response in
            var answer = OrderAnswer(status: -1, signedTransactions: [])
            var isOdd = false
            try response.body.withUnsafeBytes { bytes in
                try JSONReader.forEachMember(of: bytes) { key, value in
                    switch (key.string, value) {
                    case ("status", .number(let digits)): answer.status = Parse.integer(digits).map { Int($0) } ?? -1
                    case ("signedTransactions", .array(let list)):
                        try JSONReader.forEachElement(of: list) { element in
                            guard case .string(let text) = element, text.isJWS else { return isOdd = true }
                            answer.signedTransactions.append(text.string)
                        }
                    default: break
                    }
                }
            }
            // An order of the app has at least one transaction.
            guard answer.status == 1 || answer.status == 0 && !answer.signedTransactions.isEmpty, !isOdd else {
                throw AppleError.senseless("it needs a status, and the signed transactions of an order", response.body)
            }
            return answer
        }
    }

    /// A financial report of App Store Connect: gzip of tab-separated values. Needs a Team key.
    ///
    /// - Parameters:
    ///   - month: Apple's fiscal year and period, such as `2026-02` for November 2025.
    ///   - region: Apple's code; `Z1` is the detail report of all regions.
    /// - Returns: nil if Apple has no such report yet.
    /// - Throws: `AppleError`, and what `sleep` throws.
    func financialReport(_ month: String, vendor: String, region: String) throws -> [UInt8]? {
        let type = region == "Z1" ? "FINANCE_DETAIL" : "FINANCIAL"
        let filters = [
            ("regionCode", region), ("reportDate", month), ("reportType", type), ("vendorNumber", vendor),
        ]
        let query = filters.map { "filter%5B\($0.0)%5D=" + Self.escaped($0.1) }.joined(separator: "&")
        let question = Question(
            path: "/v1/financeReports?" + query, server: .connect, accept: "application/a-gzip, application/json",
            bytesMax: 64 << 20)
        do {
            return try ask(question) { response in
                guard response.body.starts(with: [0x1F, 0x8B]) else { throw JSONError(0, "it is not gzip") }
                return response.body
            }
        } catch AppleError.refused(404, _, _) {
            return nil
        }
    }

    /// A text as one step of a path, or as a value of a query.
    static func escaped(_ text: String) -> String {
        let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    private static func signed(_ name: String, of body: [UInt8]) throws -> String {
        var found: String?
        try body.withUnsafeBytes { bytes in
            try JSONReader.forEachMember(of: bytes) { key, value in
                if key.string == name, case .string(let text) = value, text.isJWS { found = text.string }
            }
        }
        guard let found else { throw AppleError.senseless("it has no \(name) that is signed", body) }
        return found
    }
}
