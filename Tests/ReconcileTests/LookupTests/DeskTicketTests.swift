import Domain
import Foundation
import Testing

/// 44 tickets as customers write them. Each is answered with the right verdict, or with why it is not known and what to
/// do next.
@Suite struct DeskTicketTests {
    private enum Expected {
        /// The first subject's verdict and cause, and why the goods may not be given by hand.
        case found(String, String, String)
        /// Not known; this id is offered.
        case near(String)
        /// Not known; what to do next.
        case route(String)
    }

    private static let lost6 = Expected.found("paid_not_credited/no_order", "retry_silent", "510001000000006")
    private static let lost1 = Expected.found("paid_not_credited/no_order", "retry_silent", "510001000000001")
    private static let busy = Expected.found("paid_not_credited/no_order", "retry_silent", "510002000001033")
    private static let phone = Expected.found("paid_not_credited/credit_failed", "retry_silent", "510001000000018")
    private static let device = Expected.found("paid_not_credited/credit_failed", "retry_silent", "510001000000023")
    private static let noise = "MIIT" + String(repeating: "k9Rz/u30Q65tT2ey1pGUxmTOD", count: 60)
    /// A record that names a transaction. The signature is no good.
    private static let jws = [
        #"{"alg":"ES256","x5c":["AA=="]}"#,
        #"{"transactionId":"510001000000018","productId":"coins_980","bundleId":"com.example.game","purchaseDate":1,"#
            + #""originalTransactionId":"510001000000018","signedDate":1,"environment":"Production","quantity":1}"#,
        String(repeating: "s", count: 64),
    ].map {
        Data($0.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
    }.joined(separator: ".")

    private static let tickets: [(String, Expected)] = [
        ("MK6H4T2Z9P", lost1), ("mk6 h4t 2z9p", lost1), ("ML5R8Y7P3Q", .route("apple_order")),
        ("ML7Q2W8E4R", .route("apple_denied")), ("MKOH4T2Z9P", .near("MK6H4T2Z9P")), ("5100 0100 0000 006", lost6),
        ("510001000100006", .near("510001000000006")), ("510001000000060", .near("510001000000006")),
        ("５１０００１００００００００６", lost6), ("交易单号：510001000000006", lost6),
        ("51000100000003", .near("510001000000033")), ("#510001000000006.", lost6), ("DD2026111899000006", lost6),
        ("dd2026111899000006", lost6), ("2026111899000006", .near("DD2026111899000006")),
        ("DD-20261118-99000006", lost6), ("u20000001", lost1), ("u20000017", busy), ("UID:u20000017", busy),
        ("小鱼干", .route("no_identifier")), (noise, .route("pasted_unreadable")), (jws, phone),
        ("510001000000200", .found("paid_not_credited/no_order", "retry_silent", "510001000000201")),
        ("510000777000001", .found("paid_not_credited/no_order", "retry_silent", "510001000000201")),
        ("xiaoming@qq.com", .route("no_identifier")), ("4F6D1A2B-0C3D-4E5F-8A9B-112233445566", device),
        ("2026111822001476541412345678", .route("unknown")), (TicketShop.token("u20000001"), lost1),
        ("510001000000026", .found("closed/refunded", "verdict", "510001000000026")),
        ("510001000000027", .found("refunded_not_reversed/not_reversed", "verdict", "510001000000027")),
        ("510001000000028", .found("matched/", "verdict", "510001000000028")),
        ("510001000000029", .found("out_of_scope/sandbox", "verdict", "510001000000029")),
        ("u20000030", .found("paid_not_credited/no_order", "retry_silent", "510001000000031")),
        ("510001000000032", .found("credited_to_wrong_account/", "verdict", "510001000000032")),
        ("510001000000033", .found("waiting/paid_not_credited", "verdict", "510001000000033")),
        ("DD2026112299000034", .route("unknown")), ("CRM28", .found("matched/", "verdict", "510001000000028")),
        ("RCDEV01", device), (TicketShop.pasted, lost6),
        ("DD2026112099000038", .found("waiting/order_unverified", "verdict", "DD2026112099000038")),
        ("2026-11-18 98元", .route("outside_records")),
        ("DD2026111899000039", .found("credited_twice/desk_and_auto", "verdict", "510001000000039")),
        ("510001000000040", .found("paid_not_credited/no_order", "owner_unknown", "510001000000040")),
        ("510001000000041", .found("paid_not_credited/closed_order", "retry_silent", "510001000000041")),
    ]

    @Test func everyTicketHasItsAnswer() throws {
        let shop = try TicketShop()
        #expect(Self.tickets.count == 44)
        for (text, expected) in Self.tickets {
            let answer = try shop.desk.look(text)
            let first = (answer["subjects"] as? [[String: Any]])?.first
            let named = (first?["transaction_ids"] as? [String] ?? []) + (first?["order_ids"] as? [String] ?? [])
            let near = (answer["near"] as? [[String: String]] ?? []).compactMap { $0["id"] }
            let (route, step) = (answer["route"] as? String, answer["next_step"] as? String ?? "")
            let said =
                "\(text.prefix(60)): \(first?["verdict"] ?? "-") \(named) \(first?["safe_reason"] ?? "") \(near) \(route ?? "")"
            switch expected {
            case .found(let ruling, let reason, let id):
                #expect("\(first?["verdict"] ?? "")/\(first?["cause"] ?? "")" == ruling, "\(said)")
                #expect(first?["safe_reason"] as? String == reason && named.contains(id), "\(said)")
                #expect(route == nil, "\(said)")
            case .near(let id): #expect(first == nil && near.contains(id) && !step.isEmpty, "\(said)")
            case .route(let code): #expect(first == nil && near.isEmpty && route == code && !step.isEmpty, "\(said)")
            }
        }
    }

    /// An account with many purchases: what is open comes first, and what is settled takes one line each.
    @Test func aBusyAccountIsReadable() throws {
        let shop = try TicketShop()
        let shown = try shop.desk.run(["lookup", "u20000017"], variables: ["COLUMNS": "200"]).output
        #expect(shown.contains("60 found. To be resolved: 1, 6.00 CNY. Waiting: 0. Settled: 59."), "\(shown)")
        #expect(shown.split(separator: "\n").count < 110 && shown.contains("980 金币 (coins_980) × 1, 98.00 CNY"))
        // The payment and its possible order are one block.
        #expect(shown.ranges(of: "Safe to compensate by hand").count == 1)
        #expect(shown.contains("Possible order DD20261198010033: Waiting · Not paid yet"), "\(shown)")
    }

    @Test func oldRecordsAreSaidToBeOldFirst() throws {
        let desk = try DeskFolder.lostOrder()
        for (hours, days) in [(35, nil), (36, 2), (24 * 9, 10)] as [(Int64, Int?)] {
            desk.now = Instant(milliseconds: 1_762_012_800_000) + .hours(hours)
            for id in ["2000000123456789", "nobody-77"] {
                #expect(try desk.look(id)["days_old"] as? Int == days)
                let shown = try desk.run(["lookup", id], variables: ["COLUMNS": "200"]).output.split(separator: "\n")
                #expect(shown[1].hasPrefix("Attention: the records end on 2025-11-01, ") == (days != nil))
                // One screen, one age.
                guard days == 10, id.first == "2" else { continue }
                #expect(shown.contains { $0.contains("the last night is 10 days old") }, "\(shown)")
            }
        }
    }

    /// A pasted record is checked; it proves nothing by being found.
    @Test func aForgedRecordIsSaidToBeForged() throws {
        let shop = try TicketShop()
        let answer = try shop.desk.look(Self.jws)
        #expect((answer["pasted"] as? [String: Any])?["outcome"] as? String == "invalid")
        #expect(try shop.desk.run(["lookup", Self.jws]).output.contains("did not sign"))
        let shown = try shop.desk.run(["lookup", Self.noise]).output
        #expect(!shown.contains(Self.noise.dropFirst(60).prefix(40)) && shown.split(separator: "\n").count < 15)
    }

    /// A tester puts a label before it, a customer a sentence; the account in it is the customer's.
    @Test func aRecordInAMessageIsReadAsWell() throws {
        let desk = try TicketShop().desk
        for text in ["log: " + Self.jws, "收据：\(Self.jws)充了没到", "充了没到\n\(Self.jws)\n谢谢"] {
            let answer = try desk.look(text)
            #expect((answer["pasted"] as? [String: Any])?["outcome"] as? String == "invalid", "\(answer)")
            #expect(answer["read_as"] as? [String] == ["510001000000018"])
        }
        let other = try desk.look("账号 u20000028 没到 " + Self.jws)
        #expect(
            (other["subjects"] as? [[String: Any]])?.first?["safe_reason"] as? String == "other_account", "\(other)")
        // What cannot be read is not what the message says.
        #expect(try desk.look("u20000028 没到 " + Self.noise)["pasted"] is NSNull)
    }

    @Test func anExceptionAndARetryKeyAreFoundInAnyCase() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        let subject = try desk.subjects("2000000123456789")[0]
        let exception = try #require((subject["exception"] as? [String: Any])?["id"] as? String)
        let key = try #require(try desk.manifestKeys().first)
        for id in [exception, exception.uppercased(), exception.lowercased(), key, key.lowercased(), " \(key) "] {
            #expect(try desk.rulings(id) == ["paid_not_credited/receipt_unverified"], "\(id)")
        }
    }
}
