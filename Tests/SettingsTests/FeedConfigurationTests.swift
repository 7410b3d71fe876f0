import Base
import Domain
import Intake
import Testing

@testable import Console

/// What the configuration of a feed says about the shape of its files.
@Suite struct FeedConfigurationTests {
    private func read(_ feed: String) throws(ConfigurationProblem) -> Feed {
        let text = "{ app: { bundleIDs: ['com.example.game'] },\n feeds: [{ \(feed) }] }"
        return try ConfigurationReader(file: "/srv/night/reconcile.json").read(text).feeds[0]
    }

    private func problem(_ feed: String) -> ConfigurationProblem? {
        do throws(ConfigurationProblem) {
            _ = try read(feed)
            return nil
        } catch { return error }
    }

    @Test func aColumnHasASource() throws {
        let feed = try read(
            """
            kind: 'credits', path: 'a/{date:yyyyMMdd}/b_{date}.csv', encoding: 'gbk', delimiter: '\\t', header: ['a', 'b c'],
            where: { channel: 'apple', 'log.level': ['INFO', 'WARN'], version: 2, live: true },
            columns: { credit_id: 'order.no', account_id: { from: 'uid', prefix: 'A-' }, quantity: { value: 1 },
                       origin: { value: 'desk' }, kind: { words: { t: 'reversal' } }, product_id: {} },
            """)
        #expect(feed.isDated && feed.encoding == .gbk && feed.delimiter == 9 && feed.header == ["a", "b c"])
        #expect(
            feed.conditions == [
                "channel": ["apple"], "log.level": ["INFO", "WARN"], "version": ["2"], "live": ["true"],
            ])
        #expect(
            feed.columns == [
                "credit_id": "order.no", "account_id": ColumnSource(name: "uid", prefix: "A-"),
                "quantity": ColumnSource(value: "1"), "origin": ColumnSource(value: "desk"),
                "kind": ColumnSource(words: ["t": "reversal"]), "product_id": ColumnSource(),
            ])
    }

    @Test func aDelimiterMayBeHives() throws {
        #expect(try read("kind: 'orders', path: 'x', format: 'text', delimiter: '\\u0001'").delimiter == 1)
    }

    /// A feed may say that it has no such column, and a row may be known by a value that it lacks.
    @Test func whatIsAbsent() throws {
        let feed = try read(
            "kind: 'orders', path: 'x', columns: { transaction_id: null, amount_minor: 'amount' }, whereNot: { paid: ['', 'x'] }"
        )
        #expect(feed.columns["transaction_id"] == .absent && feed.excluded == ["paid": ["", "x"]])
        #expect(feed.unread == ["transaction_id", "amount"])
        let taken = problem("kind: 'orders', path: 'x', columns: { order_id: 'Transaction-ID' }")?.message
        #expect(taken?.contains("no line says where Apple's id is") == true, "\(taken ?? "")")
        for line in ["null", "'transaction_id'", "'other'"] {
            #expect(
                problem("kind: 'orders', path: 'x', columns: { order_id: 'transaction_id', transaction_id: \(line) }")
                    == nil)
        }
        let required = problem("kind: 'orders', path: 'x', columns: { status: null }")?.message
        #expect(required?.contains("feeds[0].columns.status is null") == true)
    }

    @Test func aFeedSaysHowItsFilesAreWritten() throws {
        let feed = try read(
            """
            kind: 'orders', path: 'x', skipLines: 2, skipAfterHeader: 1, footer: { '订单号': '共{rows}笔' },
            deletes: { op: ['d', 't'] }, whereNot: { way: 'x' }, known: { way: ['x', ''] },
            decimal: ',', grouping: '.', timeFormat: 'dd/MM/yyyy HH:mm'
            """)
        #expect(feed.skipped == (2, 1) && feed.footer == ["订单号": "共{rows}笔"] && feed.deletes == ["op": ["d", "t"]])
        #expect(feed.excluded == ["way": ["x"]] && feed.known == ["way": ["x", ""]])
        #expect(feed.amounts.decimal == "," && feed.amounts.grouping == ".")
        #expect(feed.timeFormat == TimeFormat("dd/MM/yyyy HH:mm"))
        let plain = try read("kind: 'orders', path: 'x'")
        #expect(plain.skipped == (0, 0) && plain.footer == nil && plain.deletes.isEmpty && plain.timeFormat == nil)
        #expect(plain.amounts == AmountFormat())
    }

    @Test func aFeedHasACommand() throws {
        let command = try #require(
            try read(
                """
                kind: 'orders', path: 'x-{date}.csv', command: ['bin/psql', '-v', 'since={since}', ''], timeout: '30s',
                maxBytes: 1000, overlap: '7d', environment: ['SHOP_TOKEN']
                """
            ).command)
        #expect(command.name == "psql" && command.timeout == Milliseconds(30_000) && command.bytesMax == 1000)
        #expect(command.overlapDays == 7 && command.environment == ["SHOP_TOKEN"])
        let start = Instant(milliseconds: 1_764_000_000_000)
        #expect(
            command.words(date: BusinessDate("2025-11-24")!, since: start, until: start)
                == ["bin/psql", "-v", "since=2025-11-24T16:00:00Z", ""])
        let usual = try read("kind: 'orders', path: 'x-{date}.csv', command: ['psql']").command
        #expect(usual?.timeout == .minutes(10) && usual?.overlapDays == 3 && usual?.environment == [])
        #expect(try read("kind: 'orders', path: 'x-{date}.csv'").command == nil)
    }

    @Test(arguments: [
        ("path: 'x.csv', command: ['a']", "path cannot be written by a command", "{date}"),
        ("path: 'x-{date}*.csv', command: ['a']", "path cannot be written by a command", "without *"),
        ("path: 'x-{date}.csv', command: 'psql -c x'", "command is the text", "No shell runs it"),
        ("path: 'x-{date}.csv', command: []", "command is", "as a list"),
        ("path: 'x-{date}.csv', command: ['']", "command[0] is", "Write text"),
        ("path: 'x-{date}.csv', command: ['a', 1]", "command[1] is", "Write text"),
        ("path: 'x-{date}.csv', command: ['a'], overlap: '36h'", "overlap is not a number of days", "3d"),
        ("path: 'x-{date}.csv', command: ['a'], environment: ['A=b']", "environment lists 'A=b'", "names"),
        ("path: 'x-{date}.csv', timeout: '1m'", "timeout is used only with command", "Remove it"),
    ])
    func aWrongCommandIsNamed(_ keys: String, _ message: String, _ remedy: String) {
        let found = problem("kind: 'orders', " + keys)
        #expect(found?.message.contains(message) == true, "\(found?.message ?? "none")")
        #expect(found?.remedy.contains(remedy) == true, "\(found?.remedy ?? "none")")
    }

    /// A heading of a CSV file may end in a point.
    @Test func aColumnMayBeAPath() throws {
        for name in ["order.no", "Bestell-Nr.", "Lfd. Nr."] {
            let feed = try read("kind: 'orders', path: 'x', columns: { order_id: '\(name)' }")
            #expect(feed.columns["order_id"]?.name == name)
        }
        let empty = problem("kind: 'orders', path: 'x', columns: { order_id: 'order..no' }")
        #expect(empty?.remedy.contains("a name in each step") == true)
    }

    @Test func aStatusHasItsWordsInEitherPlace() throws {
        let words = ColumnSource(name: "s", words: ["3": "credited"])
        #expect(
            try read("kind: 'orders', path: 'x', columns: { status: 's' }, statuses: { '3': 'credited' }").columns
                == ["status": words])
        #expect(
            try read("kind: 'orders', path: 'x', columns: { status: { from: 's', words: { '3': 'credited' } } }")
                .columns == ["status": words])
        let flags = try read("kind: 'receipts', path: 'x', columns: { verify_retryable: { words: { Y: true } } }")
        #expect(flags.columns["verify_retryable"]?.words == ["Y": "true"])
    }

    @Test(arguments: [
        ("encoding: 'gbk2'", "feeds[0].encoding is 'gbk2'", "gbk"),
        ("encoding: 'GBK'", "feeds[0].encoding is 'GBK'", "Did you mean 'gbk'?"),
        ("encodign: 'gbk'", "'encodign' is not a key of feeds[0]", "Did you mean 'encoding'?"),
        ("prefix: 'n-'", "feeds[0].prefix belongs to a column", "columns: { order_id: {"),
        ("delimiter: ''", "feeds[0].delimiter is", "\";\""), ("delimiter: ';;'", "feeds[0].delimiter is", "\";\""),
        ("delimiter: 'a'", "feeds[0].delimiter is", "\";\""), ("delimiter: '；'", "feeds[0].delimiter is", "\";\""),
        ("delimiter: '\\\"'", "feeds[0].delimiter is", "\";\""),
        ("header: 'a,b'", "feeds[0].header is the text", "Write a list"), ("header: []", "lists 0 columns", "List"),
        ("header: ['a', 'a']", "feeds[0].header lists 'a' twice", "Remove"),
        ("where: 'x'", "feeds[0].where is the text", "Write an object"),
        ("where: { a: {} }", "feeds[0].where.a is an object", "Write a value"),
        ("where: { a: [] }", "feeds[0].where.a is a list", "Write a value"),
        ("where: { 'a..b': 'x' }", "feeds[0].where.a..b is 'a..b'", "order.no"),
        ("columns: { order_id: 'a..b' }", "feeds[0].columns.order_id is 'a..b'", "order.no"),
        ("columns: { order_id: '.a' }", "feeds[0].columns.order_id is '.a'", "order.no"),
        ("columns: { order_id: { form: 'a' } }", "'form' is not a key of feeds[0].columns.order_id", "'from'"),
        ("columns: { order_id: { value: 'a', from: 'b' } }", "columns.order_id.from has no meaning beside", "Remove"),
        ("columns: { order_id: { from: 'a', words: { x: 'y' } } }", "order_id.words is not used", "status"),
        ("columns: { transaction_id: { prefix: 'x' } }", "transaction_id.prefix is not used", "Remove"),
        ("columns: { status: { value: 'done' } }", "columns.status.value is 'done'", "Allowed: created"),
        ("columns: { status: { value: 'Paid' } }", "columns.status.value is 'Paid'", "Did you mean 'paid'?"),
        ("columns: { status: { words: { x: 'payd' } } }", "status.words.x is 'payd'", "Did you mean 'paid'?"),
        ("columns: { currency: { value: 'RMB' } }", "currency.value is 'RMB', which is not a currency", "CNY"),
        ("columns: { currency: { words: { x: 'RMB' } } }", "currency.words.x is 'RMB'", "CNY"),
        ("columns: { status: { words: { a: 'paid' } } }, statuses: { b: 'paid' }", "both say", "Remove one"),
        ("columns: { order_id: { value: [1] } }", "columns.order_id.value is a list", "Write text"),
        ("timeFormat: 'dd/MM/yyyy'", "feeds[0].timeFormat is 'dd/MM/yyyy'", "dd/MM/yyyy HH:mm"),
        ("decimal: ';'", "feeds[0].decimal is ';'", "Did you mean"),
        ("decimal: ',', grouping: ','", "grouping is the decimal separator as well", "Set decimal"),
        ("grouping: ''", "feeds[0].grouping is ''", "Allowed"), ("skipLines: -1", "skipLines is", "0 to 1000"),
        ("header: ['a'], skipAfterHeader: 1", "skipAfterHeader cannot be used with header", "skipLines"),
        ("footer: {}", "footer names 0 columns", "合计"), ("footer: { a: 1 }", "feeds[0].footer.a is", "合计"),
        ("deletes: { op: {} }", "feeds[0].deletes.op is an object", "Write a value"),
        ("columns: { status: { words: { 3: 'paid' } } }", "expected a key, found '3'", "Put the key in quotes"),
    ])
    func aWrongShapeIsNamed(_ keys: String, _ message: String, _ remedy: String) {
        let found = problem("kind: 'orders', path: 'x', " + keys)
        #expect(found?.message.contains(message) == true, "\(found?.message ?? "none")")
        #expect(found?.remedy.contains(remedy) == true, "\(found?.remedy ?? "none")")
        #expect(found?.position.line == 2)
    }

    @Test func textsThatFitNoIdentifierAreRefused() {
        let long = String(repeating: "x", count: 257)
        #expect(
            problem("kind: 'orders', path: 'x', columns: { order_id: { prefix: '\(long)' } }")?.message.contains(
                "257 bytes") == true)
        #expect(
            problem("kind: 'orders', path: 'x', columns: { product_id: { value: '\(long)' } }")?.message.contains(
                "257 bytes") == true)
        let many = (0..<17).map { "c\($0): 'x'" }.joined(separator: ", ")
        #expect(problem("kind: 'orders', path: 'x', where: { \(many) }")?.message.contains("names 17 columns") == true)
    }

    @Test(arguments: [
        "where: { a: 'b' }", "header: ['a']", "delimiter: ';'", "skipLines: 1", "footer: { a: 'b' }",
        "deletes: { a: 'b' }",
        "timeFormat: 'dd/MM/yyyy HH:mm'", "decimal: ','",
    ])
    func applesRecordsHaveNoColumns(_ keys: String) {
        #expect(
            problem("kind: 'transactions', path: 'x', " + keys)?.message.contains(
                "is not used in a feed of transactions") == true)
    }
}
