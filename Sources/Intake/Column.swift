internal import Domain

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
    var name: String { "\(word)" }

    /// The standard name as constant bytes.
    var word: StaticString {
        switch self {
        case .orderID: "order_id"
        case .accountID: "account_id"
        case .productID: "product_id"
        case .quantity: "quantity"
        case .amount: "amount"
        case .amountMinor: "amount_minor"
        case .currency: "currency"
        case .appAccountToken: "app_account_token"
        case .transactionID: "transaction_id"
        case .status: "status"
        case .createdAt: "created_at"
        case .updatedAt: "updated_at"
        case .bundleID: "bundle_id"
        case .creditID: "credit_id"
        case .kind: "kind"
        case .origin: "origin"
        case .creditedAt: "credited_at"
        case .receivedAt: "received_at"
        case .receiptID: "receipt_id"
        case .receiptData: "receipt_data"
        case .verifyStatus: "verify_status"
        case .verifyRetryable: "verify_retryable"
        case .deviceID: "device_id"
        case .key: "key"
        case .outcome: "outcome"
        case .at: "at"
        case .message: "message"
        case .type: "type"
        case .productName: "name"
        case .validFrom: "valid_from"
        case .validTo: "valid_to"
        case .response: "response"
        }
    }

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
        case .products: [.productID, .type, .productName, .currency, .amount, .validFrom, .validTo]
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
}
