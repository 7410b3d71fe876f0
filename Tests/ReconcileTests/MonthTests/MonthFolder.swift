import Console
import Engine
import Foundation

@testable import Domain
@testable import Reconcile

/// A folder in which nights and months are run, with rows like those that a backend writes.
struct MonthFolder {
    let nights: NightFolder
    let zone: Zone

    /// - Parameter historyFrom: nil means that the records begin with the first night.
    init(
        zone name: String = "Asia/Shanghai", required: Set<FeedKind> = [],
        historyFrom: BusinessDate? = BusinessDate("2010-01-01")
    ) throws {
        var policy = Policy()
        zone = Zone(name)!
        policy.zone = zone
        policy.tokenUse = .none
        policy.historyFrom = historyFrom
        nights = try NightFolder(policy: policy, required: required)
    }

    /// `2026-01-31 23:59:30` of the folder's time zone, in ISO 8601.
    func time(_ local: String) -> String { instant(local).text }

    func instant(_ local: String) -> Instant {
        let parts = local.split(separator: " ")
        let clock = parts[1].split(separator: ":").map { Double($0)! }
        let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2]
        let day = BusinessDate(String(parts[0]))!
        return zone.instant(local: Int64(day.day) * 86_400_000 + Int64(seconds * 1000))
    }

    /// Writes a day's files. Rows are given without headers.
    func deliver(_ date: String, orders: [String] = [], credits: [String] = [], transactions: [String] = []) throws {
        let header = "order_id,account_id,product_id,quantity,amount_minor,currency,transaction_id,status,created_at\n"
        try write("orders-\(date).csv", header, orders)
        try write(
            "credits-\(date).csv", "credit_id,order_id,transaction_id,account_id,quantity,kind,credited_at\n", credits)
        try write("transactions-\(date).jsonl", "", transactions)
    }

    private func write(_ name: String, _ header: String, _ rows: [String]) throws {
        try nights.folder.write(header + rows.map { $0 + "\n" }.joined(), to: "inbox/" + name)
    }

    func night(_ date: String) throws {
        let end = zone.end(of: BusinessDate(date)!)
        _ = try nights.night(RunTime(businessDate: BusinessDate(date)!, asOf: end + .hours(3)))
    }

    /// Runs `monthly`. Returns its exit code and `month.json`.
    func month(_ name: String, _ options: String...) throws -> (code: ExitCode, file: MonthFile) {
        let outcome = try nights.run(["monthly", name] + options)
        guard [.done, .look].contains(outcome.code) else { return (outcome.code, MonthFile()) }
        return (outcome.code, try read(name))
    }

    func read(_ name: String) throws -> MonthFile {
        try JSONDecoder().decode(MonthFile.self, from: Data(text(name, "month.json").utf8))
    }

    func text(_ name: String, _ file: String) throws -> String { try nights.folder.read("out/\(name)/\(file)") }

    func bytes(_ name: String, _ file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: nights.folder.path + "/out/\(name)/\(file)"))
    }
}

extension MonthFolder {
    /// An order, Apple's record and a credit of one sale. Amounts are minor units, prices thousandths.
    struct Sale {
        var id: Int
        var currency = "CNY"
        var minor: Int
        var quantity = 1
        var product = "coins"
        var storefront = "CHN"
        var at: String
        /// Further members of Apple's record, each preceded by a comma.
        var more = ""
    }

    func order(_ sale: Sale) -> String {
        "ORD\(sale.id),A\(sale.id),\(sale.product),\(sale.quantity),\(sale.minor),\(sale.currency),\(transaction(sale.id)),"
            + "paid,\(time(sale.at))"
    }

    /// - Parameters:
    ///   - kind: `credit` or `reversal`.
    ///   - number: the number of the row among the sale's credit rows.
    func credit(_ sale: Sale, at: String, _ kind: String = "credit", number: Int = 1, quantity: Int? = nil) -> String {
        "CR\(sale.id)-\(number),ORD\(sale.id),\(transaction(sale.id)),A\(sale.id),\(quantity ?? sale.quantity),\(kind),\(time(at))"
    }

    func record(_ sale: Sale, signed: String? = nil) -> String {
        let price = sale.minor * (["JPY": 1000, "KWD": 1][sale.currency] ?? 10)
        return
            "{\"transactionId\":\"\(transaction(sale.id))\",\"productId\":\"\(sale.product)\",\"quantity\":\(sale.quantity),"
            + "\"type\":\"Consumable\",\"environment\":\"Production\",\"purchaseDate\":\(instant(sale.at).milliseconds),"
            + "\"signedDate\":\(instant(signed ?? sale.at).milliseconds),\"price\":\(price),"
            + "\"currency\":\"\(sale.currency)\",\"storefront\":\"\(sale.storefront)\"\(sale.more)}"
    }

    func transaction(_ id: Int) -> String { "2000000000000\(100 + id)" }

    /// The members of Apple's record that mark a refund.
    func refund(_ at: String, percentage: Int? = nil) -> String {
        let share = percentage.map { ",\"revocationType\":\"REFUND_PRORATED\",\"revocationPercentage\":\($0)" } ?? ""
        return ",\"revocationDate\":\(instant(at).milliseconds),\"revocationReason\":1" + share
    }
}

/// The parts of `month.json` that tests use.
struct MonthFile: Decodable {
    struct Explained: Decodable {
        var verdict: String
        var amount: String
    }
    struct Money: Decodable {
        var purchases, refunds, refund_reversals, net, credited, reversed, net_credited, difference, unexplained,
            estimated: String
        var explained: [Explained]
    }
    struct Exceptions: Decodable {
        var verdict, currency: String
        var opening, new, reopened, changed_in, changed_out, resolved, waived, closing: Int
        var amounts: [String: String]
    }
    struct Bridge: Decodable {
        struct Step: Decodable, Equatable {
            var units: Int
            var value: String
        }
        struct Aged: Decodable {
            var sold_until, value: String
            var units: Int
            var never_collected: Bool
        }
        var aging: [Aged]
        var product_id, country, currency, sales_or_return: String
        var ledger_units, apple_units, difference, explained, unexplained: Int
        var ledger_value, apple_value, value_unexplained: String
        var steps: [String: Step]
    }
    struct Restated: Decodable {
        var period, currency: String
        var change: [String: String]
    }
    struct Payout: Decodable {
        var tied: Bool
        var paid_difference: String
    }
    var payout: Payout?
    var apple_period_stated: Bool?
    var apple_missing_before: String?
    struct Year: Decodable {
        var period, currency: String
        var quarter: Int
        var closed: Bool
        var reported, change: [String: String]
    }
    struct Cohort: Decodable {
        var purchase_month, refund_month, known_in, currency, amount: String
        var count: Int
        var purchases: String?
    }
    struct Entry: Decodable {
        var voucher, concerns, subject, currency, debit, credit, debit_account, credit_account, amount: String
    }
    struct Account: Decodable {
        var role, account, currency, opening, closing: String
    }
    var year: [Year] = []
    var prior_year: [Year] = []
    var cohorts: [Cohort] = []
    var journal: [Entry] = []
    var accounts: [Account] = []
    struct Closing: Decodable {
        var by, at, seal: String
        var user, approver, note, accepted_unexplained, accepted_amount: String?
        var segregated: Bool
    }
    struct RestatedSubject: Decodable {
        var subject_id: String
        var product_id, storefront: String?
        var by_setting: Bool?
        var settings: [String: [String]]?
        var change: [String: String]
        var file, night: String?
        var line: Int?
        var figures: [String: String]?
        var also: [String]?
    }
    struct RestatedFigure: Decodable {
        var period, currency, figure, reported, now, change: String
        var text: String { [period, currency, figure, reported, now, change].joined(separator: " ") }
    }
    var restated_figures: [RestatedFigure]?
    struct Population: Decodable {
        var kind, amount: String
        var count: Int
    }
    var restated_subjects: [RestatedSubject] = []
    var population: [Population] = []
    var status = ""
    var closing: Closing?
    var complete = false
    var records_from: String?
    var money: [String: Money] = [:]
    var exceptions: [Exceptions] = []
    var apple: [Bridge] = []
    var restated: [Restated] = []

    /// One line for each figure, as in the goldens.
    var golden: String {
        let moneyLines = money.sorted { $0.key < $1.key }.map { currency, money in
            let explained = money.explained.map { "\($0.verdict) \($0.amount)" } + ["unexplained \(money.unexplained)"]
            let returned = Double(money.refund_reversals) == 0 ? "" : " + \(money.refund_reversals)"
            return "\(currency) \(money.purchases) - \(money.refunds)\(returned) = \(money.net); "
                + "\(money.credited) - \(money.reversed) = \(money.net_credited); "
                + "\(money.difference) = \(explained.joined(separator: ", "))"
        }
        let exceptionLines = exceptions.map { line in
            let counts = [
                ("opening", line.opening), ("new", line.new), ("reopened", line.reopened),
                ("changed_in", line.changed_in), ("changed_out", line.changed_out), ("resolved", line.resolved),
                ("waived", line.waived), ("closing", line.closing),
            ].filter { $0.1 != 0 }.map { "\($0.0) \($0.1) (\(line.amounts[$0.0] ?? ""))" }
            return "\(line.verdict) \(line.currency): " + counts.joined(separator: ", ")
        }
        let restatedLines = restated.map { line in
            let changes = ["purchases", "refunds", "credited", "reversed"].compactMap { name -> String? in
                guard let change = line.change[name], Double(change) != 0 else { return nil }
                return "\(name) \(change)"
            }
            return "restated \(line.period) \(line.currency): " + changes.joined(separator: ", ")
        }
        return ([status] + moneyLines + exceptionLines + restatedLines).joined(separator: "\n")
    }
}
