/// A column of a feed. See docs/spec/interfaces.md#feed-columns.
enum Column: Int, CaseIterable {
    case orderID, accountID, productID, quantity, amount, amountMinor, currency, appAccountToken, transactionID, status
    case createdAt, updatedAt, bundleID
    case creditID, kind, origin, creditedAt
    case receivedAt, receiptID, receiptData, verifyStatus, verifyRetryable, deviceID
    case key, outcome, at, message
    case type, productName, validFrom, validTo
    case response

    /// The standard name, as in the documentation and the configuration.
    var name: String { Self.names[rawValue] }

    /// In the order of the cases.
    private static let names = [
        "order_id", "account_id", "product_id", "quantity", "amount", "amount_minor", "currency", "app_account_token",
        "transaction_id", "status", "created_at", "updated_at", "bundle_id",
        "credit_id", "kind", "origin", "credited_at",
        "received_at", "receipt_id", "receipt_data", "verify_status", "verify_retryable", "device_id",
        "key", "outcome", "at", "message",
        "type", "name", "valid_from", "valid_to",
        "response",
    ]

    /// The columns of a feed in the order of docs/spec/interfaces.md#feed-columns; none for Apple's own formats.
    static func all(of kind: FeedKind) -> [Column] {
        switch kind {
        case .orders:
            [
                .orderID, .accountID, .productID, .quantity, .amount, .amountMinor, .currency, .appAccountToken,
                .transactionID, .status, .createdAt, .updatedAt, .bundleID,
            ]
        case .credits:
            [
                .creditID, .orderID, .transactionID, .accountID, .productID, .quantity, .kind, .origin, .creditedAt,
            ]
        case .receipts:
            [
                .receivedAt, .accountID, .receiptID, .orderID, .transactionID, .productID, .receiptData,
                .verifyStatus, .verifyRetryable, .deviceID,
            ]
        case .acks: [.key, .outcome, .at, .message]
        case .products: [.productID, .type, .productName, .currency, .amount, .amountMinor, .validFrom, .validTo]
        case .orderLookups: [.orderID, .response]
        case .transactions, .appleFinance: []
        }
    }

    /// The columns that a file of that feed must have.
    static func required(of kind: FeedKind) -> [Column] {
        switch kind {
        case .orders: [.orderID, .accountID, .productID, .status, .createdAt]
        case .credits: [.creditID, .accountID, .creditedAt]
        case .receipts: [.receivedAt, .accountID]
        case .acks: [.key, .outcome, .at]
        case .products: [.productID]
        case .orderLookups: [.orderID, .response]
        case .transactions, .appleFinance: []
        }
    }
}

extension Column {
    /// The columns that a row of evidence may lack, because they have a default, or it has no amount at all. Their values are
    /// counted as they are read.
    static let sampled: [Column] = [.kind, .origin, .quantity, .currency, .amount, .amountMinor]

    /// The standard words; nil if the column does not hold one of a closed set of words. For `currency` the words are
    /// all currencies, which are not listed.
    var words: [String]? {
        switch self {
        case .status: OrderStatus.allCases.map(\.rawValue)
        case .kind: CreditKind.allCases.map(\.rawValue)
        case .origin: CreditOrigin.allCases.map(\.rawValue)
        case .type: ProductType.allCases.map(\.name)
        case .outcome: AckOutcome.allCases.map(\.rawValue)
        case .verifyRetryable: ["true", "false"]
        case .currency: []
        default: nil
        }
    }
}

/// Why a whole file is refused.
struct FileDefect: Error {
    /// What is wrong and what to do, as the rest of "FILE is refused: …".
    var reason: String
    init(_ reason: String) { self.reason = reason }

    static let headerQuotes = FileDefect(
        "the quotes in its header are unbalanced; quote whole names only, without a blank before the quote")
}
