internal import Domain
import Engine
import Testing

@testable import Ledger

/// What packed rows leave out, and what the views show in its place.
@Suite struct PackedTests {
    private let noon = Instant(milliseconds: 1_763_467_200_123)
    private let source = Provenance(delivery: 7, line: 3, fileDate: BusinessDate("2025-11-18")!)
    private let token = Token("6f9619ff-8b86-d011-b42d-00cf4fc964ff")!

    private func ledger() throws -> Ledger {
        let ledger = try Ledger(path: ":memory:")
        try ledger.begin()
        try ledger.connection.execute(
            "INSERT INTO delivery VALUES (7, 1, '', 'inbox/a.csv', 20410, '', 0, 0, 0, 0, 0, 0, 0, 0, 0)")
        return ledger
    }

    /// Cases of one purchase each. Every second one names its transaction and its order where it can.
    private func fill(_ ledger: Ledger, cases: Range<Int>) throws {
        var rows = EvidenceRows(cases: cases.count, try ledger.spellings())
        for number in cases {
            let caseID = CaseID(Int64(number))
            let account = Identifier("acct\(70_000 + number)")
            var transaction = Transaction(
                id: Identifier("00020000\(1_000_000_000 + number)"), product: "coins_60", purchasedAt: noon,
                source: source)
            transaction.original = number % 2 == 0 ? transaction.id : nil
            transaction.token = number % 3 == 0 ? nil : token
            transaction.price = Price(thousandths: 990, currency: "USD")
            transaction.storefront = "JPN"
            rows.add(transaction, in: caseID, number: 0, isCurrent: true)
            var order = Order(
                id: Identifier("ORD\(number)-é"), account: account, product: "coins_60", status: .paid, createdAt: noon,
                source: source)
            order.token = token
            order.transaction = number % 2 == 0 ? transaction.id : "00020000999999"
            rows.add(order, in: caseID, number: 0, isCurrent: true)
            var credit = Credit(
                id: Identifier("CR\(900_000 + number)"), account: account, creditedAt: noon, source: source)
            credit.order = order.id
            credit.transaction = transaction.id
            rows.add(credit, in: caseID, number: 0, isCurrent: true)
            credit.account = "somebody else"
            credit.order = "ORD0"
            rows.add(credit, in: caseID, number: 1, isCurrent: false)
            var receipt = Receipt(
                content: Digest256(words: (1, 2, 3, UInt64(number))), account: account, receivedAt: noon, source: source
            )
            receipt.order = order.id
            receipt.transaction = transaction.id
            receipt.product = "coins_60"
            rows.add(receipt, in: caseID, number: 0, isCurrent: true)
        }
        rows.end()
        var writer = try EvidenceWriter(ledger)
        try writer.write(rows)
        try writer.finish()
    }

    private func texts(_ ledger: Ledger, _ sql: String) throws -> [String] {
        var row = try ledger.connection.prepare(sql)
        var found: [String] = []
        while try row.step() {
            found.append((0..<row.columns).map { row.optionalText($0) ?? "null" }.joined(separator: " "))
        }
        return found
    }

    /// The first rows are stored as text and later ones as numbers; both are shown and read alike.
    @Test func theViewsShowWhatIsRead() throws {
        let ledger = try ledger()
        try fill(ledger, cases: 1..<31)
        try ledger.commit()
        let evidence = try ledger.load(cases: 1..<31, through: .max).evidence
        #expect(evidence.orders.count == 30 && evidence.credits.count == 60)
        func text(_ id: Identifier?) -> String { id?.text ?? "null" }
        #expect(
            try texts(
                ledger,
                "SELECT order_id, account_id, product_id, app_account_token, transaction_id, status, created_at, file_date FROM backend_order ORDER BY id"
            )
                == evidence.orders.map {
                    "\(text($0.id)) \(text($0.account)) coins_60 \(token.text) \(text($0.transaction)) paid \(noon.milliseconds) 20410"
                })
        #expect(
            try texts(
                ledger,
                "SELECT credit_id, order_id, transaction_id, account_id, product_id, kind, origin, credited_at FROM backend_credit ORDER BY id"
            )
                == evidence.credits.map {
                    "\(text($0.id)) \(text($0.order)) \(text($0.transaction)) \(text($0.account)) null credit auto \(noon.milliseconds)"
                })
        #expect(
            try texts(
                ledger,
                "SELECT transaction_id, original_transaction_id, product_id, app_account_token, currency, storefront, purchased_at, signed_at FROM apple_transaction ORDER BY id"
            )
                == evidence.transactions.map {
                    "\(text($0.id)) \(text($0.original)) coins_60 \($0.token?.text ?? "null") USD JPN \(noon.milliseconds) null"
                })
        #expect(
            try texts(
                ledger,
                "SELECT receipt_id, order_id, transaction_id, account_id, product_id, received_at, file FROM v_receipt ORDER BY id"
            )
                == evidence.receipts.map {
                    "null \(text($0.order)) \(text($0.transaction)) \(text($0.account)) coins_60 \(noon.milliseconds) inbox/a.csv"
                })
        // A query for a text finds the row in either form.
        for id in ["acct70001", "acct70030"] {
            #expect(
                try texts(ledger, "SELECT order_id FROM backend_order WHERE account_id = '\(id)'").count == 1, "\(id)")
        }
    }

    @Test func whatOccursOftenIsStoredOnce() throws {
        let ledger = try ledger()
        try fill(ledger, cases: 1..<31)
        #expect(
            try ledger.connection.integer("SELECT count(*) FROM packed_order WHERE typeof(account_id) = 'text'") == 7)
        #expect(
            try ledger.connection.integer(
                "SELECT typeof(product_id) = 'integer' AND product_id < 0 FROM packed_order WHERE id = 30 << 24") == 1)
        // Order ids that do not end in digits stay as they are.
        #expect(
            try ledger.connection.integer("SELECT count(*) FROM packed_order WHERE typeof(order_id) = 'text'") == 30)
        #expect(
            try ledger.connection.integer(
                "SELECT count(*) FROM packed_credit WHERE order_id = 0 AND transaction_id = 0 AND account_id = 0") == 30
        )
        #expect(
            try ledger.connection.integer(
                "SELECT count(*) FROM packed_receipt WHERE order_id = 0 AND transaction_id = 0 AND account_id = 0")
                == 30)
        #expect(
            try ledger.connection.integer("SELECT count(*) FROM packed_transaction WHERE original_transaction_id = 0")
                == 15)
        #expect(try ledger.connection.integer("SELECT count(*) FROM packed_order WHERE app_account_token = 0") == 20)
    }

    /// A later run knows the numbers of earlier ones, and gives no number twice.
    @Test func numbersStay() throws {
        let ledger = try ledger()
        try fill(ledger, cases: 1..<31)
        try ledger.commit()
        let before = try texts(ledger, "SELECT id, text, digits FROM spelling ORDER BY id")
        #expect(
            before.contains { $0.hasSuffix(" acct 5") } && before.contains { $0.hasSuffix(" coins_60 0") }, "\(before)")
        try ledger.begin()
        try fill(ledger, cases: 31..<61)
        try ledger.commit()
        #expect(try texts(ledger, "SELECT id, text, digits FROM spelling ORDER BY id") == before)
        #expect(try ledger.load(cases: 1..<61, through: .max).evidence.orders.count == 60)
        #expect(try ledger.checksumProblems(of: [.spellings, .orders, .credits, .transactions, .receipts]) == [])
    }

    /// A run that is undone leaves no number behind that the next run would use.
    @Test func aRunThatIsUndoneGivesNoNumbers() throws {
        let ledger = try ledger()
        try ledger.commit()
        try ledger.begin()
        try fill(ledger, cases: 1..<31)
        try ledger.rollback()
        try ledger.begin()
        try fill(ledger, cases: 1..<31)
        try ledger.commit()
        #expect(try ledger.load(cases: 1..<31, through: .max).evidence.orders.allSatisfy { $0.product == "coins_60" })
        #expect(try ledger.checksumProblems(of: [.spellings, .orders, .credits, .transactions, .receipts]) == [])
    }

    /// A set of labels that occurs often has a number, which later runs use as well; a rare one is text. A client may send a
    /// product that has the text of a set.
    @Test func setsOfLabelsThatOccurOftenHaveNumbers() throws {
        func labels(_ text: String) -> LabelSet { LabelSet([LabelSet.Value(name: "zone", text: Identifier(text))]) }
        let ledger = try ledger()
        for cases in [1..<9, 9..<17] {
            if cases.lowerBound > 1 { try ledger.begin() }
            var rows = EvidenceRows(cases: cases.count, try ledger.spellings())
            for number in cases {
                for (place, label) in ["often", "only \(number)"].enumerated() {
                    var order = Order(
                        id: Identifier("O\(number)-\(place)"), account: "a", product: #"{"zone":"often"}"#,
                        status: .paid,
                        createdAt: noon,
                        source: source)
                    order.labels = labels(label)
                    rows.add(order, in: CaseID(Int64(number)), number: place, isCurrent: true)
                }
            }
            rows.end()
            var writer = try EvidenceWriter(ledger)
            try writer.write(rows)
            try writer.finish()
            try ledger.commit()
        }
        #expect(
            try texts(ledger, #"SELECT id FROM spelling WHERE text = '{"zone":"often"}' ORDER BY id"#) == [
                "-65536", "-1",
            ])
        #expect(
            try ledger.connection.integer("SELECT count(*) FROM packed_order WHERE labels = -65536") == 9,
            "the eighth of the first run and all of the second")
        let orders = try ledger.load(cases: 1..<17, through: .max).evidence.orders
        #expect(orders.allSatisfy { $0.product == #"{"zone":"often"}"# })
        #expect(orders.map(\.labels) == (1..<17).flatMap { [labels("often"), labels("only \($0)")] })
    }

    /// Random ids have endlessly many prefixes; they must not fill the table.
    @Test func prefixesThatOccurOnceGetNoNumber() throws {
        let ledger = try ledger()
        var rows = EvidenceRows(cases: 2000, try ledger.spellings())
        for number in 1...2000 {
            let id = Identifier("\(String(number, radix: 26, uppercase: true))X\(1000 + number)")
            rows.add(
                Order(id: id, account: id, product: id, status: .paid, createdAt: noon, source: source),
                in: CaseID(Int64(number)), number: 0, isCurrent: true)
        }
        rows.end()
        var writer = try EvidenceWriter(ledger)
        try writer.write(rows)
        try writer.finish()
        try ledger.commit()
        #expect(try texts(ledger, "SELECT text FROM spelling") == ["paid"])
        #expect(try ledger.load(cases: 1..<2001, through: .max).evidence.orders.map(\.id.text).last == "2OOX3000")
    }
}
