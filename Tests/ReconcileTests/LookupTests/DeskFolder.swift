internal import Domain
internal import Foundation
internal import Synchronization

@testable import Console
@testable internal import Reconcile

/// A set-up on disk in which nights and look-ups are run as from the command line, with a clock of its own.
final class DeskFolder {
    let folder = TestFolder()
    /// The time that the clock shows.
    var now = Instant(milliseconds: 0)
    static let first = BusinessDate("2025-11-01")!

    init(retry: String = "{ enabled: false }", settings: String = "") throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/inbox", withIntermediateDirectories: false)
        try configure(retry: retry, settings: settings)
    }

    private init(copyOf folder: TestFolder, at now: Instant) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: self.folder.path + "/" + name)
        }
        self.now = now
    }

    /// By name. `scripts/test` deletes the folders.
    private static let made = Mutex<[String: (folder: TestFolder, now: Instant)]>([:])

    /// A copy of a set-up with which many tests begin. Its nights are run once.
    static func copy(of name: String, _ make: () throws -> DeskFolder) throws -> DeskFolder {
        let (folder, now) = try made.withLock { made in
            if let known = made[name] { return known }
            let desk = try make()
            made[name] = (desk.folder, desk.now)
            return (desk.folder, desk.now)
        }
        return try DeskFolder(copyOf: folder, at: now)
    }

    func configure(
        retry: String = "{ enabled: false }", settings: String = "", requires: Set<String> = ["credits"]
    ) throws {
        let feeds = ["orders", "credits", "receipts", "acks"].map {
            #"{ kind: "\#($0)", path: "inbox/\#($0)-{date}.csv", required: \#(requires.contains($0)) }"#
        }
        try folder.write(
            """
            { app: { bundleIDs: ["com.example.game"] }, timeZone: "Asia/Shanghai", retry: \(retry), \(settings) feeds: [
                \(feeds.joined(separator: ", ")),
                { kind: "transactions", path: "inbox/transactions-{date}.jsonl", trust: "backend",
                  required: \(requires.contains("transactions")) } ] }
            """, to: "reconcile.json")
    }

    func date(_ night: Int) -> String { Self.first.advanced(by: night).text }

    /// Noon in the business time zone.
    func noon(_ night: Int) -> String { date(night) + "T12:00:00+08:00" }

    private static let headers = [
        "orders": "order_id,account_id,product_id,quantity,amount,currency,app_account_token,transaction_id,status,"
            + "created_at,updated_at",
        "credits": "credit_id,order_id,transaction_id,account_id,kind,origin,credited_at",
        "acks": "key,outcome,at,message",
        "receipts": "receipt_id,received_at,account_id,order_id,transaction_id,verify_status,device_id",
    ]

    /// Writes a feed's file of that night; without rows, an empty one.
    func deliver(_ feed: String, _ rows: [String] = [], night: Int) throws {
        let lines = [Self.headers[feed]!] + rows
        try folder.write(lines.map { $0 + "\n" }.joined(), to: "inbox/\(feed)-\(date(night)).csv")
    }

    /// Writes Apple's records of purchases of coins at noon, with their ids and further fields.
    func deliverTransactions(_ transactions: [(id: String, fields: String)], night: Int) throws {
        let noon = Zone("Asia/Shanghai")!.start(of: Self.first.advanced(by: night)).milliseconds + 43_200_000
        let lines = transactions.map {
            #"{"transactionId":"\#($0.id)","productId":"coins","purchaseDate":\#(noon),"quantity":1,"#
                + ($0.fields.contains(#""type":"#) ? "" : #""type":"Consumable","#)
                + #""environment":"Production","bundleId":"com.example.game","price":6000,"#
                + #""currency":"CNY","signedDate":\#(noon)\#($0.fields)}"# + "\n"
        }
        try folder.write(lines.joined(), to: "inbox/transactions-\(date(night)).jsonl")
    }

    /// The id of a purchase that `sell` makes.
    static func sold(_ number: Int) -> String { "\(2_000_000_400_000_000 + number)" }

    /// Delivers purchases of that night with their orders, and credits for some of them.
    func sell(_ numbers: Range<Int>, credited: Range<Int>, night: Int) throws {
        try deliver(
            "orders",
            numbers.map { "ORD9\($0),acct\($0),coins,1,6.00,CNY,,\(Self.sold($0)),paid,\(noon(night))," }, night: night)
        try deliverTransactions(numbers.map { (Self.sold($0), "") }, night: night)
        try deliver(
            "credits",
            credited.map { "CR\($0),ORD9\($0),\(Self.sold($0)),acct\($0),credit,auto,\(noon(night))" }, night: night)
    }

    /// Runs a command and returns how it ended.
    func run(_ arguments: [String], variables: [String: String] = [:], input: String = "") throws -> Ended {
        var context = CommandContext.process()
        try folder.write(input, to: "input")
        context.input = open(folder.path + "/input", O_RDONLY)
        defer { close(context.input) }
        let now = now
        context.clock = { now }
        context.limitsDesk = false
        context.folder = folder.path.replacing("//", with: "/")
        context.variables = ["RECONCILE_CONFIG": "reconcile.json"].merging(variables) { $1 }
        let descriptors = ["said", "complained"].map {
            open(folder.path + "/" + $0, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        defer { for descriptor in descriptors { close(descriptor) } }
        context.output = Output(descriptor: descriptors[0])
        context.log.descriptor = descriptors[1]
        let code = Main.run(arguments, in: &context)
        let errors = try folder.read("complained")
        noteEnd(arguments.joined(separator: " "), code.rawValue, errors)
        return Ended(code: code.rawValue, output: try folder.read("said"), errors: errors)
    }

    /// Runs the night of a business date on the morning after. The clock then shows that morning.
    func night(_ night: Int) throws {
        let ended = try run(["nightly", "--date", date(night), "--as-of", date(night + 1) + "T04:00:00+08:00"])
        precondition(ended.code == 0 || ended.code == 3, ended.errors)
        now = Zone("Asia/Shanghai")!.start(of: Self.first.advanced(by: night + 1)) + .hours(9)
    }

    /// One purchase of acct-lost-7 that was not credited, in night 0.
    static func lostOrder(retry: String = "{ enabled: false }", settings: String = "") throws -> DeskFolder {
        try copy(of: "lost order \(retry) \(settings)") {
            let desk = try DeskFolder(retry: retry, settings: settings)
            let token = "1d625e20-8e90-4318-1cf0-bfcf6828c345"
            try desk.deliver(
                "orders",
                ["ORD1000000042,acct-lost-7,coins,1,6.00,CNY,\(token),2000000123456789,paid,\(desk.noon(0)),"],
                night: 0)
            try desk.deliverTransactions(
                [
                    (
                        "2000000123456789",
                        #","originalTransactionId":"2000000123450000","appAccountToken":"\#(token)","#
                            + #""webOrderLineItemId":"700000000000123""#
                    )
                ], night: 0)
            try desk.deliver("credits", night: 0)
            try desk.deliver(
                "receipts", [",\(desk.noon(0)),acct-lost-7,ORD1000000042,2000000123456789,21005,device-of-7"], night: 0)
            try desk.night(0)
            return desk
        }
    }

    /// Runs these nights. For a file that was not delivered, an empty one is.
    func nights(_ range: ClosedRange<Int>) throws {
        for number in range {
            for feed in ["credits", "orders"] {
                let path = folder.path + "/inbox/\(feed)-\(date(number)).csv"
                if !FileManager.default.fileExists(atPath: path) { try deliver(feed, night: number) }
            }
            try night(number)
        }
    }

    /// The keys of the last night's retry manifest.
    func manifestKeys() throws -> [String] {
        try folder.read("out/latest/retry-manifest.jsonl").matches(of: /"key":"(R[0-9a-f]+)"/).map {
            String($0.output.1)
        }
    }

    /// The answer to one identifier, as JSON.
    func look(_ identifier: String, _ options: String...) throws -> [String: Any] {
        let ended = try run(["lookup", "--json", identifier] + options)
        let object = try JSONSerialization.jsonObject(with: Data(ended.output.utf8))
        return ((object as? [String: Any])?["answers"] as? [[String: Any]])?.first ?? [:]
    }

    func subjects(_ identifier: String) throws -> [[String: Any]] {
        try look(identifier)["subjects"] as? [[String: Any]] ?? []
    }

    /// Verdict and cause of each subject, as in `paid_not_credited/no_receipt`.
    func rulings(_ identifier: String) throws -> [String] {
        try subjects(identifier).map { "\($0["verdict"] ?? "")/\($0["cause"] ?? "")" }
    }

    /// The code that says whether the only subject may be compensated, and why.
    func safety(_ identifier: String) throws -> String {
        let subject = try subjects(identifier)[0]
        let reason = subject["safe_reason"] as? String ?? ""
        precondition((reason == "safe") == (subject["safe_to_compensate"] as? Bool))
        return reason
    }
}
