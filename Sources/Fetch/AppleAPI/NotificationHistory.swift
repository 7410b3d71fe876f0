struct SentNotification {
    /// The signed notification (JWS) as Apple delivers it. Nil if there is none that the night could read. Valid while the
    /// caller's closure runs.
    var signedPayload: UnsafeRawBufferPointer?
    /// The whole item, a JSON object, as Apple sent it. Valid as long.
    var item: UnsafeRawBufferPointer
    /// Why none of Apple's deliveries to the shop's server succeeded, as in `NO_RESPONSE`; nil if one did.
    var failure: String?
}

extension AppleClient {
    /// All notifications of an app from `start` to `end`, page by page.
    ///
    /// The memory for one page is in use at a time. What Apple lists twice is handed over twice, and everything is
    /// handed over again if Apple drops the paging in the middle (4000014, 4000017), which it may do once.
    ///
    /// - Returns: the number of pages.
    /// - Throws: `AppleError`, and what `take` throws.
    func notifications(
        of bundle: String, on server: Server, from start: Instant, to end: Instant,
        _ take: (SentNotification) throws -> Void
    ) throws -> Int {
        let body: JSON = .object(["endDate": .number(end.milliseconds), "startDate": .number(start.milliseconds)])
        let first = Question(
            method: "POST", path: "/inApps/v1/notifications/history", body: Array(body.line.utf8), server: server,
            bundle: bundle)
        var pages = 0
        do {
            try page(through: first, &pages, take)
        } catch AppleError.refused(_, let code, _) where Self.droppedPaging.contains(code) && pages > 0 {
            try page(through: first, &pages, take)
        }
        return pages
    }

    /// Apple does not know the token of the next page, or no longer.
    private static let droppedPaging: Set<Int> = [4_000_014, 4_000_017]

    private func page(
        through first: Question, _ pages: inout Int, _ take: (SentNotification) throws -> Void
    ) throws {
        var question = first
        var pagesSeen = Set<Int>()
        var tokensSeen = Set<String>()
        while true {
            let (page, bytes) = try ask(question) { response in (try HistoryPage(response.body), response.body) }
            pages += 1
            try bytes.withUnsafeBytes { bytes in
                for item in page.items {
                    let payload = item.payload.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
                    let whole = UnsafeRawBufferPointer(rebasing: bytes[item.whole])
                    try take(SentNotification(signedPayload: payload, item: whole, failure: item.failure))
                }
                // A page that comes again, or a token that was used, would make the loop endless.
                if !page.items.isEmpty, !pagesSeen.insert(page.fingerprint(bytes)).inserted { throw Self.repeated }
            }
            guard page.hasMore else { return }
            guard let next = page.token, !next.isEmpty else {
                throw AppleError.senseless("a page that has a successor and does not say how to ask for it")
            }
            guard tokensSeen.insert(next).inserted else {
                throw Self.repeated
            }
            question.path = first.path + "?paginationToken=" + Self.escaped(next)
        }
    }

    private static let repeated = AppleError.senseless("a page that came before")
}

/// A page of Get Notification History.
struct HistoryPage {
    struct Item {
        /// Where the item stands in the response.
        var whole: Range<Int>
        /// Where its signed payload stands. Nil if it has none.
        var payload: Range<Int>?
        var failure: String?
    }
    private(set) var items: [Item] = []
    private(set) var hasMore = false
    private(set) var token: String?

    /// - Throws: `JSONError` if the body is cut or is not JSON, `AppleError` if it is not such a page.
    init(_ body: [UInt8]) throws {
        try body.withUnsafeBytes { bytes in
            var (isListed, isOdd) = (false, false)
            var hasMore: Bool?
            try JSONReader.forEachMember(of: bytes) { key, value in
                switch (key.string, value) {
                case ("notificationHistory", .array(let list)):
                    isListed = true
                    try JSONReader.forEachElement(of: list) { element in
                        guard case .object(let object) = element else { return isOdd = true }
                        items.append(try Item(object, in: bytes))
                    }
                case ("notificationHistory", _): isOdd = true
                case ("hasMore", .bool(let flag)): hasMore = flag
                case ("paginationToken", .string(let text)): token = text.string
                default: break
                }
            }
            // Apple leaves the list out where it is empty, and always says whether there is more. Anything else would
            // be taken for a day without notifications.
            guard let hasMore, !isOdd, isListed || !hasMore else {
                throw AppleError.senseless("a page needs a list of notifications, and hasMore", body)
            }
            self.hasMore = hasMore
        }
    }

    /// The same within a process for the same notifications.
    func fingerprint(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        for item in items { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[item.payload ?? item.whole])) }
        return hasher.finalize()
    }
}

extension HistoryPage.Item {
    fileprivate init(_ object: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) throws {
        var payload: Range<Int>?
        var outcomes: [String] = []
        try JSONReader.forEachMember(of: object) { key, value in
            switch (key.string, value) {
            case ("signedPayload", .string(let text)) where text.isJWS:
                payload = bytes.range(of: text.raw)
            case ("sendAttempts", .array(let list)): outcomes = try Self.outcomes(list)
            default: break
            }
        }
        let isDelivered = outcomes.isEmpty || outcomes.contains("SUCCESS")
        self.init(whole: bytes.range(of: object), payload: payload, failure: isDelivered ? nil : outcomes.last)
    }

    /// The results of Apple's attempts to deliver, as words in capitals.
    private static func outcomes(_ list: UnsafeRawBufferPointer) throws -> [String] {
        var outcomes: [String] = []
        try JSONReader.forEachElement(of: list) { element in
            guard case .object(let attempt) = element else { return }
            try JSONReader.forEachMember(of: attempt) { key, value in
                guard case ("sendAttemptResult", .string(let text)) = (key.string, value) else { return }
                let isWord = text.raw.count <= 60 && text.raw.allSatisfy { $0 == 0x5F || 0x41...0x5A ~= $0 }
                outcomes.append(isWord ? text.string : "OTHER")
            }
        }
        return outcomes
    }
}

extension UnsafeRawBufferPointer {
    /// Where a part of these bytes stands.
    fileprivate func range(of part: UnsafeRawBufferPointer) -> Range<Int> {
        let start = baseAddress.flatMap { base in part.baseAddress.map { $0 - base } } ?? 0
        return start..<start + part.count
    }
}

extension JSONText {
    /// Three parts of base64url: nothing that could end a line or a text.
    var isJWS: Bool {
        !hasEscapes && raw.occurrences(of: UInt8(ascii: ".")) == 2 && !raw.contains { !isInJWS[Int($0)] }
    }
}

private let isInJWS: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".utf8 { table[Int(byte)] = true }
    return table
}()
