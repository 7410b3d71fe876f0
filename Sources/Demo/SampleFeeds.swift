internal import Domain

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
                    + "created_at,updated_at\n"
            case .credits:
                "credit_id,order_id,transaction_id,account_id,product_id,quantity,kind,origin,credited_at\n"
            case .receipts:
                "received_at,account_id,receipt_id,order_id,transaction_id,product_id,receipt_data,verify_status,"
                    + "verify_retryable\n"
            case .transactions, .responses: ""
            }
        }
    }

    private var files: [Kind: [SampleFile]] = [:]
    private var row = RowText()

    /// - Parameter path: the path of the file for a kind and a business date.
    init(path: (Kind, BusinessDate) -> String) {
        for kind in Kind.allCases {
            files[kind] = SampleCalendar.dates.map { date in
                let file = SampleFile(path(kind, date))
                file.write(Array(kind.header.utf8))
                return file
            }
        }
    }

    /// - Throws: the first failure of any file.
    func finish() throws(SampleError) {
        for kind in Kind.allCases {
            for file in files[kind] ?? [] { try file.finish() }
        }
    }

    /// Writes a line into the file of `moment`'s date. A line after the last date is dropped: it is still in the future.
    private mutating func write(_ kind: Kind, at moment: Instant, _ fill: (inout RowText) -> Void) {
        guard let place = SampleCalendar.delivery(of: moment) else { return }
        row.begin()
        fill(&row)
        files[kind]?[place].write(row.bytes)
    }
}

extension SampleFeeds {
    mutating func write(_ order: Order) {
        let kind: Kind = order.amount?.currency == Market.japan.currency ? .ordersJapan : .orders
        write(kind, at: order.updatedAt ?? order.createdAt) { row in
            row.field(order.id)
            row.field(order.account)
            row.field(order.product)
            row.field(order.quantity)
            row.field(order.amount)
            row.field(order.token?.text)
            row.field(order.transaction)
            row.field(order.status.rawValue)
            row.field(order.createdAt)
            row.field(order.updatedAt)
            row.endFields()
        }
    }

    mutating func write(_ credit: Credit) {
        write(.credits, at: credit.creditedAt) { row in
            row.field(credit.id)
            row.field(credit.order)
            row.field(credit.transaction)
            row.field(credit.account)
            row.field(credit.product)
            row.field(credit.quantity)
            row.field(credit.kind.rawValue)
            row.field(credit.origin.rawValue)
            row.field(credit.creditedAt)
            row.endFields()
        }
    }

    /// - Parameter data: the uploaded receipt, if the backend kept it.
    mutating func write(_ receipt: Receipt, data: String? = nil) {
        write(.receipts, at: receipt.receivedAt) { row in
            row.field(receipt.receivedAt)
            row.field(receipt.account)
            row.field(receipt.givenID)
            row.field(receipt.order)
            row.field(receipt.transaction)
            row.field(receipt.product)
            row.field(data)
            row.field(receipt.verifyStatus)
            row.field(receipt.isRetryable.map { String($0) })
            row.endFields()
        }
    }

    mutating func write(_ transaction: Transaction) {
        write(.transactions, at: transaction.signedAt ?? transaction.purchasedAt) { row in
            row.payload(of: transaction)
            row.end()
        }
    }

    mutating func write(responseListing transaction: Transaction, askedAt: Instant) {
        write(.responses, at: askedAt) { row in
            row.response(listing: transaction, askedAt: askedAt)
            row.end()
        }
    }

    /// Writes a literal line into the file of `moment`'s date.
    mutating func write(_ line: String, to kind: Kind, at moment: Instant) {
        write(kind, at: moment) { row in
            row.text(line)
            row.end()
        }
    }
}
