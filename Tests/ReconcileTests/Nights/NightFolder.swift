import Engine
import Foundation
import Intake

@testable import Console
@testable import Domain
@testable import Ledger
@testable import Reconcile
@testable import Reference

/// A folder with a configuration and an inbox, in which real nights are run.
struct NightFolder {
    let folder = TestFolder()
    let policy: Policy

    init(policy: Policy = Policy(), required: Set<FeedKind> = [], products: [Product] = []) throws {
        self.policy = policy
        try FileManager.default.createDirectory(atPath: folder.path + "/inbox", withIntermediateDirectories: false)
        try folder.write(Self.configuration(policy, required), to: "reconcile.json")
        let lines = products.map { product in
            [
                product.id.text, product.type?.name, product.price?.text, product.price?.currency.text,
                product.validFrom?.text,
            ].row
        }
        try folder.write((["product_id,type,amount,currency,valid_from"] + lines).text, to: "products.csv")
    }

    private static func configuration(_ policy: Policy, _ required: Set<FeedKind>) -> String {
        let feeds = NightPlayer.kinds.map { kind in
            let name = kind == .transactions ? "transactions-{date}*.jsonl" : "\(kind)-{date}*.csv"
            return
                #"{kind: "\#(kind)", path: "inbox/\#(name)", trust: "backend", required: \#(required.contains(kind))}"#
        }
        return """
            {
              app: {bundleIDs: ["com.example.game"], environment: "\(policy.environment.name)",
                    appAccountToken: "\(policy.tokenUse.rawValue)"},
              timeZone: "\(policy.zone.name)", maxRejectedShare: 0.5,
              tokenFanOut: \(policy.tokenFanOut),
              grace: {credit: "\(policy.graceCredit.hours)", apple: "\(policy.graceApple.hours)"},
              historyFrom: \(policy.historyFrom.map { "\"\($0)\"" } ?? "null"),
              compare: [\(policy.compare.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))],
              feeds: [\(feeds.joined(separator: ",\n")), {kind: "products", path: "products.csv"}],
            }
            """
    }

    /// Adds a feed, in the configuration's syntax.
    func addFeed(_ text: String) throws {
        let configuration = try folder.read("reconcile.json")
        try folder.write(configuration.replacing("feeds: [", with: "feeds: [" + text + ", "), to: "reconcile.json")
    }

    /// Writes a file into the inbox. `suffix` distinguishes it from others of its kind and date.
    func deliver(_ file: WorldFile, suffix: String = "") throws {
        let name = "\(file.kind)-\(file.fileDate)\(suffix)" + (file.kind == .transactions ? ".jsonl" : ".csv")
        try folder.write(file.text, to: "inbox/" + name)
    }

    struct Outcome {
        var code: ExitCode
        var output: String
        var errors: String
    }

    func night(_ moment: RunTime, _ options: String...) throws -> Outcome {
        try run(["nightly", "--as-of", moment.asOf.text, "--date", moment.businessDate.text] + options)
    }

    /// - Parameter memory: how many bytes of memory the machine has free.
    func run(_ words: [String], memory: Int64? = nil, variables: [String: String] = [:]) throws -> Outcome {
        let descriptors = ["stdout", "stderr"].map {
            open(folder.path + "/" + $0, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        }
        defer { for descriptor in descriptors { close(descriptor) } }
        let clock: @Sendable () -> Instant = { Instant(milliseconds: 0) }
        var context = CommandContext(
            variables: variables, folder: folder.path, clock: clock, memory: { memory },
            output: Output(descriptor: descriptors[0]),
            log: Log(descriptor: descriptors[1], clock: clock))
        let code = Main.run(words + ["--config", "reconcile.json"], in: &context)
        let errors = try folder.read("stderr")
        noteEnd(words.joined(separator: " "), code.rawValue, errors)
        return Outcome(code: code, output: try folder.read("stdout"), errors: errors)
    }

    func ledger() throws -> Ledger { try Ledger.reading(path: folder.path + "/ledger.sqlite") }

    /// Every file of a night's reports by name, except the one with wall-clock times.
    func reports(_ date: String) throws -> [String: Data] {
        let path = folder.path + "/out/" + date
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "metrics.prom" }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0))) })
    }
}

extension Milliseconds {
    fileprivate var hours: String { "\(count / 3_600_000)h" }
}

extension [String?] {
    fileprivate var row: String { map { $0 ?? "" }.joined(separator: ",") }
}

extension [String] {
    fileprivate var text: String { map { $0 + "\n" }.joined() }
}

extension WorldFile {
    /// As the backend exports it: CSV, and JSON Lines for transactions.
    fileprivate var text: String {
        switch kind {
        case .orders:
            ([
                "order_id,account_id,product_id,quantity,amount_minor,currency,app_account_token,transaction_id,"
                    + "status,created_at,updated_at"
            ] + evidence.orders.map(\.row)).text
        case .credits:
            (["credit_id,order_id,transaction_id,account_id,product_id,quantity,kind,origin,credited_at"]
                + evidence.credits.map(\.row)).text
        // An empty file would be refused.
        case .transactions: evidence.transactions.isEmpty ? "\n" : evidence.transactions.map(\.json).text
        default:
            (["receipt_id,account_id,order_id,transaction_id,product_id,received_at,verify_status,verify_retryable"]
                + evidence.receipts.map(\.row)).text
        }
    }

    /// The rows that a file can express: vouched transactions, receipts with an id and without data.
    func tellable(by now: Instant) -> WorldFile {
        var file = self
        // What lies in the future is rejected.
        let latest = now + .days(1)
        file.evidence.orders.removeAll { max($0.createdAt, $0.updatedAt ?? $0.createdAt) > latest }
        file.evidence.credits.removeAll { $0.creditedAt > latest }
        file.evidence.receipts.removeAll { $0.receivedAt > latest }
        file.evidence.transactions.removeAll { record in
            [record.purchasedAt, record.signedAt, record.revocation?.at].contains { $0.map { $0 > latest } ?? false }
        }
        // A credit that names neither an order nor a transaction is rejected.
        file.evidence.credits.removeAll { credit in
            [credit.order, credit.transaction].allSatisfy { ["", "0", "null", nil].contains($0?.text) }
        }
        for index in file.evidence.transactions.indices {
            file.evidence.transactions[index].proof = .vouched
            file.evidence.transactions[index].failure = .none
            file.evidence.transactions[index].isFromReceipt = false
        }
        for index in file.evidence.receipts.indices {
            file.evidence.receipts[index].givenID = file.evidence.receipts[index].givenID ?? "R4"
            file.evidence.receipts[index].content = .absent
            file.evidence.receipts[index].proof = .unchecked
        }
        return file
    }
}

extension Order {
    fileprivate var row: String {
        [
            id.text, account.text, product.text, "\(quantity)", amount.map { "\($0.minor)" }, amount?.currency.text,
            token?.text, transaction?.text, status.rawValue, "\(createdAt.milliseconds)",
            updatedAt.map { "\($0.milliseconds)" },
        ].row
    }
}

extension Credit {
    fileprivate var row: String {
        [
            id.text, order?.text, transaction?.text, account.text, product?.text, quantity.map { "\($0)" },
            kind.rawValue,
            origin.rawValue, "\(creditedAt.milliseconds)",
        ].row
    }
}

extension Receipt {
    fileprivate var row: String {
        [
            givenID?.text, account.text, order?.text, transaction?.text, product?.text, "\(receivedAt.milliseconds)",
            verifyStatus.map { "\($0)" }, isRetryable.map { "\($0)" },
        ].row
    }
}

extension Transaction {
    fileprivate var json: String {
        let types: [ProductType: String] = [
            .consumable: "Consumable", .nonConsumable: "Non-Consumable", .autoRenewable: "Auto-Renewable Subscription",
            .nonRenewing: "Non-Renewing Subscription",
        ]
        let revocations: [RevocationType: String] = [
            .refundFull: "REFUND_FULL", .refundProrated: "REFUND_PRORATED", .familyRevoke: "FAMILY_REVOKE",
            .other: "SOMETHING_NEW",
        ]
        let texts: [(String, String?)] = [
            ("transactionId", id.text), ("originalTransactionId", original?.text), ("webOrderLineItemId", line?.text),
            ("productId", product.text), ("appAccountToken", token?.text), ("type", type.flatMap { types[$0] }),
            ("environment", environment == .other ? "Elsewhere" : environment.name),
            ("inAppOwnershipType", ["PURCHASED", "FAMILY_SHARED", "SOMEHOW"][Int(ownership.rawValue)]),
            ("revocationType", revocation.flatMap { revocations[$0.type] }), ("currency", price?.currency.text),
        ]
        let numbers: [(String, Int64?)] = [
            ("purchaseDate", purchasedAt.milliseconds), ("expiresDate", expiresAt?.milliseconds),
            ("signedDate", signedAt?.milliseconds), ("quantity", Int64(quantity)), ("price", price?.thousandths),
            ("revocationDate", revocation?.at.milliseconds),
            ("revocationPercentage", (revocation?.percentage).map(Int64.init)),
        ]
        let members =
            texts.compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }
            + numbers.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return "{" + members.joined(separator: ",") + "}"
    }
}
