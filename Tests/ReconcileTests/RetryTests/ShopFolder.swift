internal import Domain
internal import Foundation

@testable import Console
@testable internal import Reconcile

/// A set-up on disk, with nights run as from the command line.
final class ShopFolder {
    let folder = TestFolder()
    /// The configuration's `retry`.
    private let retry: String
    /// The configuration's `historyFrom`, as it stands there.
    private let historyFrom: String
    static let first = BusinessDate("2025-11-01")!

    /// - Parameters:
    ///   - retry: the configuration's `retry`.
    ///   - historyFrom: the configuration's `historyFrom`, a date.
    init(retry: String = "{}", historyFrom: String? = nil) throws {
        self.retry = retry
        self.historyFrom = historyFrom.map { "\"\($0)\"" } ?? "null"
        try FileManager.default.createDirectory(atPath: folder.path + "/inbox", withIntermediateDirectories: false)
        try configure(retry: retry)
    }

    func configure(retry: String) throws {
        let feeds = ["orders", "credits", "acks"].map { #"{ kind: "\#($0)", path: "inbox/\#($0)-{date}.csv" }"# }
        try folder.write(
            """
            { app: { bundleIDs: ["com.example.game"] }, timeZone: "UTC", retry: \(retry), historyFrom: \(historyFrom), feeds: [
                \(feeds.joined(separator: ", ")),
                { kind: "transactions", path: "inbox/transactions-{date}.jsonl", trust: "backend" } ] }
            """, to: "reconcile.json")
    }

    /// The business date of a night, counted from 0.
    func date(_ night: Int) -> String { Self.first.advanced(by: night).text }

    /// Adds paid purchases at noon, each with an order of the account with the same number.
    func sell(_ numbers: Range<Int>, night: Int, quantity: Int = 1) throws {
        let noon = date(night) + "T12:00:00Z"
        let milliseconds = Zone.utc.start(of: Self.first.advanced(by: night)).milliseconds + 43_200_000
        let orders = numbers.map { "ORD\($0),acct\($0),coins,\(quantity),6.00,CNY,\(transaction($0)),paid,\(noon)" }
        try folder.write(
            "order_id,account_id,product_id,quantity,amount,currency,transaction_id,status,created_at\n"
                + orders.map { $0 + "\n" }.joined(), to: "inbox/orders-\(date(night)).csv")
        let signed = numbers.map {
            #"{"transactionId":"\#(transaction($0))","originalTransactionId":"\#(transaction($0))","#
                + #""bundleId":"com.example.game","productId":"coins","purchaseDate":\#(milliseconds),"quantity":\#(quantity),"#
                + #""type":"Consumable","environment":"Production","price":6000,"currency":"CNY","#
                + #""signedDate":\#(milliseconds),"inAppOwnershipType":"PURCHASED"}"#
        }
        try folder.write(signed.map { $0 + "\n" }.joined(), to: "inbox/transactions-\(date(night)).jsonl")
    }

    func transaction(_ number: Int) -> String { "\(2_000_000_100_000_000 + number)" }

    private static let creditHeader = "credit_id,order_id,transaction_id,account_id,credited_at\n"

    /// Adds credits at ten o'clock.
    func credit(_ numbers: [Int], night: Int) throws {
        let rows = numbers.map { "CR\($0),ORD\($0),\(transaction($0)),acct\($0),\(date(night))T10:00:00Z\n" }
        try folder.write(
            Self.creditHeader + rows.joined(), to: "inbox/credits-\(date(night)).csv")
    }

    func answer(_ answers: [(key: String, outcome: String)], night: Int) throws {
        let rows = answers.map { "\($0.key),\($0.outcome),\(date(night))T10:01:00Z,said so\n" }
        try folder.write("key,outcome,at,message\n" + rows.joined(), to: "inbox/acks-\(date(night)).csv")
    }

    /// Runs a command. `night` is run on the morning after its business date.
    ///
    /// - Parameter clock: nil for the real one.
    func run(_ arguments: [String], clock: (@Sendable () -> Instant)? = nil) throws -> Ended {
        var context = CommandContext.process()
        if let clock { context.clock = clock }
        context.folder = folder.path
        context.variables = ["RECONCILE_CONFIG": "reconcile.json"]
        let descriptors = ["said", "complained"].map {
            open(folder.path + "/" + $0, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        defer { for descriptor in descriptors { close(descriptor) } }
        context.output = Output(descriptor: descriptors[0])
        context.log.descriptor = descriptors[1]
        let code = Main.run(arguments, in: &context)
        return Ended(code: code.rawValue, output: try folder.read("said"), errors: try folder.read("complained"))
    }

    /// If no goods were given, the backend exports a file with only a header.
    @discardableResult
    func night(_ night: Int) throws -> Ended {
        let credits = "inbox/credits-\(date(night)).csv"
        if !FileManager.default.fileExists(atPath: folder.path + "/" + credits) {
            try folder.write(Self.creditHeader, to: credits)
        }
        return try run(["nightly", "--date", date(night), "--as-of", date(night + 1) + "T04:00:00Z"])
    }

    /// A report of that night. Nil if it has none of that name.
    func report(_ name: String, _ night: Int) -> String? { try? folder.read("out/\(date(night))/\(name)") }

    /// The objects of a report in JSON Lines.
    func lines(_ name: String, _ night: Int) throws -> [[String: Any]] {
        try (report(name, night) ?? "").split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    /// The rows of `exceptions.csv` by column. Fields contain no commas here.
    func exceptions(_ night: Int) -> [[String: String]] {
        let rows = (report("exceptions.csv", night) ?? "").split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return rows.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(rows[0], $0)) }
    }

    /// All files of that night's folder, except the one with wall-clock times.
    func files(_ night: Int) throws -> [String: Data] {
        let path = folder.path + "/out/" + date(night)
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "metrics.prom" }
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)))
            })
    }
}
