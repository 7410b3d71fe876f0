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

/// Maps a file's own column names to columns.
struct ColumnMap: Sendable {
    let kind: FeedKind
    private var columns: [String: Column] = [:]

    init(_ feed: Feed) {
        kind = feed.kind
        for column in Column.all(of: feed.kind) {
            // A column that the configuration maps is known by the mapped name only.
            columns[Self.plain(feed.columns[column.name] ?? column.name)] = column
        }
    }

    /// The column with this name; nil for an unknown name.
    func column(named name: String) -> Column? { columns[Self.plain(name)] }

    /// Names are compared without regard to case, `_`, `-` and white space.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "\t" }
    }
}

/// The columns of a CSV or TSV file, from left to right.
struct Header: Sendable {
    static let columnsMax = 1000

    /// For each column of the file, the raw value of its `Column`; −1 for a column that is ignored.
    var slots: [Int8] = []
    /// The names of the columns that are ignored.
    var ignored: [String] = []

    /// Throws a `FileDefect` if the file cannot be read with this header.
    init(_ names: [String], _ map: ColumnMap) throws(FileDefect) {
        guard names.count <= Self.columnsMax else {
            throw FileDefect(
                "its header has more than \(Self.columnsMax) columns; export only those that the feed needs")
        }
        for name in names {
            let column = map.column(named: name)
            let slot = Int8(column?.rawValue ?? -1)
            if let column, slots.contains(slot) {
                throw FileDefect("its header has the column \(column.name) twice; remove one")
            }
            slots.append(slot)
            if column == nil { ignored.append(name) }
        }
        guard ignored.count < names.count else {
            throw FileDefect(
                "its first line has no column of \(map.kind.rawValue): the header row is missing, or the separator "
                    + "is another; export it with its column names")
        }
        for column in Column.required(of: map.kind) where !slots.contains(Int8(column.rawValue)) {
            throw FileDefect(
                "its header has no column \(column.name); export it, or map it under columns in the configuration")
        }
    }
}

/// Why a whole file is refused.
struct FileDefect: Error {
    /// What is wrong and what to do, as the rest of "FILE is refused: …".
    var reason: String
    init(_ reason: String) { self.reason = reason }
}
