internal import Console

/// The sample's feeds. Each row goes to the file of the business date on which the backend wrote it.
struct SampleFeeds {
    enum Kind: String, CaseIterable {
        case orders
        /// Japan has its own server and its own export.
        case ordersJapan = "orders-jp"
        case credits, transactions
        /// Apple's answers to the backend for old versions of the app.
        case responses = "transactions-verifyreceipt"
        case receipts

        var isCSV: Bool { self != .transactions && self != .responses }

        fileprivate var header: String {
            switch self {
            case .orders, .ordersJapan:
                "order_id,account_id,product_id,quantity,amount,currency,app_account_token,transaction_id,status,"
                    + "created_at,updated_at,client_version\n"
            case .credits:
                "credit_id,order_id,transaction_id,account_id,product_id,quantity,kind,origin,credited_at\n"
            case .receipts:
                "received_at,account_id,receipt_id,order_id,transaction_id,product_id,receipt_data,verify_status,"
                    + "verify_retryable,client_version\n"
            case .transactions, .responses: ""
            }
        }
    }

    private var files: [Kind: [SampleFile]] = [:]

    /// - Parameter path: the path of the file for a kind and a business date.
    init(path: (Kind, BusinessDate) -> String) throws(Failure) {
        for kind in Kind.allCases {
            files[kind] = try SampleCalendar.dates.map { date throws(Failure) in
                let file = try SampleFile(path(kind, date))
                file.write(Array(kind.header.utf8))
                return file
            }
        }
    }

    /// - Throws: the first failure of any file.
    func finish() throws(Failure) {
        for kind in Kind.allCases {
            for file in files[kind] ?? [] { try file.finish() }
        }
    }

    /// Writes a line into the file of `moment`'s date. A line after the last date is dropped: it is still in the future.
    func write(_ line: String, to kind: Kind, at moment: Instant) {
        guard let place = SampleCalendar.delivery(of: moment) else { return }
        files[kind]?[place].write(Array((line + "\n").utf8))
    }

    /// Writes a line of CSV. Nothing is quoted: the sample's texts hold no comma, quote, backslash or line end.
    fileprivate func write(_ fields: [String?], to kind: Kind, at moment: Instant) {
        write(fields.map { $0 ?? "" }.joined(separator: ","), to: kind, at: moment)
    }
}

/// A row of one of the sample's feeds.
protocol SampleRow {
    func write(to feeds: SampleFeeds)
}

extension Order: SampleRow {
    func write(to feeds: SampleFeeds) {
        let fields: [String?] = [
            id.text, account.text, product.text, String(quantity), amount?.text, amount?.currency.text, token?.text,
            transaction?.text, status.rawValue, createdAt.local, updatedAt?.local, labels[SampleWorld.version]?.text,
        ]
        feeds.write(
            fields, to: amount?.currency == Market.japan.currency ? .ordersJapan : .orders, at: updatedAt ?? createdAt)
    }
}

extension Credit: SampleRow {
    func write(to feeds: SampleFeeds) {
        let fields: [String?] = [
            id.text, order?.text, transaction?.text, account.text, product?.text, quantity.map { String($0) },
            kind.rawValue,
            origin.rawValue, creditedAt.local,
        ]
        feeds.write(fields, to: .credits, at: creditedAt)
    }
}

extension Receipt: SampleRow {
    func write(to feeds: SampleFeeds) { write(to: feeds, data: nil) }

    /// - Parameter data: the uploaded receipt, if the backend kept it.
    func write(to feeds: SampleFeeds, data: String?) {
        let fields: [String?] = [
            receivedAt.local, account.text, givenID?.text, order?.text, transaction?.text, product?.text, data,
            verifyStatus.map { String($0) }, isRetryable.map { String($0) }, labels[SampleWorld.version]?.text,
        ]
        feeds.write(fields, to: .receipts, at: receivedAt)
    }
}

extension Transaction: SampleRow {
    func write(to feeds: SampleFeeds) { feeds.write(payload, to: .transactions, at: signedAt ?? purchasedAt) }
}

extension Instant {
    /// The backend's local time: `2025-11-18 23:59:50`.
    var local: String {
        let moved = Instant(milliseconds: milliseconds + SampleCalendar.zone.offset(at: self))
        return String(moved.text.dropLast().replacing("T", with: " "))
    }
}
