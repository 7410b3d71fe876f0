import Domain
import Intake
import Testing

@testable import Console

/// Which columns of the feeds are labels.
@Suite struct LabelConfigurationTests {
    private func read(_ feeds: String...) throws(ConfigurationProblem) -> [Feed] {
        let list = feeds.map { "{ \($0) }" }.joined(separator: ",\n")
        let text = "{ app: { bundleIDs: ['com.example.game'] },\n feeds: [\(list)] }"
        return try ConfigurationReader(file: "/srv/night/reconcile.json").read(text).feeds
    }

    @Test func aLabelHasASource() throws {
        let feed = try read(
            """
            kind: 'receipts', path: 'x', labels: { version: 'app.ver', server: {}, a_1: { from: 'ch', words: { '1001': 'huawei' } } }
            """)[0]
        #expect(
            feed.labels == [
                "version": "app.ver", "server": ColumnSource(),
                "a_1": ColumnSource(name: "ch", words: ["1001": "huawei"]),
            ])
    }

    @Test(arguments: [
        ("kind: 'products', path: 'x', labels: {}", "feeds[0].labels is not used in a feed of products", "Remove it."),
        ("kind: 'acks', path: 'x', labels: {}", "feeds[0].labels is not used in a feed of acks", "Remove it."),
        ("kind: 'orders', path: 'x', labels: 'v'", "feeds[0].labels is the text", "Write an object"),
        ("kind: 'orders', path: 'x', labels: { Version: 'v' }", "'Version' cannot be the name of a label", "a to z"),
        ("kind: 'orders', path: 'x', labels: { '1a': 'v' }", "'1a' cannot be the name of a label", "letter"),
        ("kind: 'orders', path: 'x', labels: { '': 'v' }", "'' cannot be the name of a label", "letter"),
        ("kind: 'orders', path: 'x', labels: { '版本': 'v' }", "cannot be the name of a label", "letter"),
        (
            "kind: 'orders', path: 'x', labels: { a23456789012345678901234567890123: 'v' }",
            "cannot be the name of a label", "at most 32"
        ),
        ("kind: 'orders', path: 'x', labels: { product: 'v' }", "'product' is what every purchase", "my_product"),
        ("kind: 'orders', path: 'x', labels: { weekday: 'v' }", "'weekday' is what every purchase", "my_weekday"),
        ("kind: 'orders', path: 'x', labels: { v: 7 }", "feeds[0].labels.v is the number 7", "client_ver"),
        ("kind: 'orders', path: 'x', labels: { v: 'a..b' }", "feeds[0].labels.v is 'a..b'", "order.no"),
        (
            "kind: 'orders', path: 'x', labels: { v: { form: 'a' } }", "'form' is not a key of feeds[0].labels.v",
            "'from'"
        ),
        ("kind: 'orders', path: 'x', labels: { v: { prefix: 'a' } }", "'prefix' is not a key", "from"),
        ("kind: 'orders', path: 'x', labels: { v: { words: { a: 1 } } }", "feeds[0].labels.v.words.a is", "huawei"),
        (
            "kind: 'orders', path: 'x', labels: { v: { words: { a: '\(String(repeating: "x", count: 65))' } } }",
            "feeds[0].labels.v.words.a has 65 bytes", "at most 64"
        ),
        ("kind: 'receipts', path: 'x', labels: { v: 'Device-ID' }", "is the column of device_id", "Remove it."),
        (
            "kind: 'receipts', path: 'x', columns: { receipt_data: 'raw' }, labels: { raw: {} }",
            "feeds[0].labels.raw is the column of receipt_data", "Remove it."
        ),
    ])
    func aFaultIsNamed(_ feed: String, _ what: String, _ remedy: String) {
        do throws(ConfigurationProblem) {
            _ = try read(feed)
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains(what) && error.remedy.contains(remedy), "\(error)")
            #expect(error.position.line == 2 && error.position.column > 30)
        }
    }

    @Test func twelveNamesAreEnoughForAllFeeds() throws {
        let names = { (range: Range<Int>) in range.map { "l\($0): 'c'" }.joined(separator: ", ") }
        let orders = "kind: 'orders', path: 'x', labels: { \(names(0..<12)) }"
        #expect(try read(orders, "kind: 'credits', path: 'y', labels: { \(names(3..<9)) }").count == 2)
        #expect(throws: ConfigurationProblem.self) {
            try read(orders, "kind: 'credits', path: 'y', labels: { \(names(11..<13)) }")
        }
    }
}
