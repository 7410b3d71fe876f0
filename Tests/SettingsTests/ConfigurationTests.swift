import Base
import Domain
import Intake
import Testing

@testable import Console

/// A minimal configuration. `settings` come first, from line 2 on.
private func read(
    _ settings: String = "", app: String = "bundleIDs: ['com.example.game']",
    feeds: String = "[{ kind: 'orders', path: 'in/o-{date}.csv' }]"
) throws(ConfigurationProblem) -> Configuration {
    let text = "{\n\(settings)\napp: { \(app) }, feeds: \(feeds) }"
    return try ConfigurationReader(file: "/srv/night/reconcile.json").read(text)
}

private func problem(_ body: () throws -> Configuration) -> ConfigurationProblem? {
    #expect(throws: ConfigurationProblem.self) { try body() }
}

@Test func theLeastConfigurationHasTheDocumentedDefaults() throws {
    let configuration = try read()
    #expect(configuration.ledger == "/srv/night/ledger.sqlite" && configuration.output == "/srv/night/out")
    #expect(configuration.folder == "/srv/night" && configuration.file == "/srv/night/reconcile.json")
    #expect(configuration.language == .english && configuration.retry == RetrySettings())
    #expect(configuration.group == nil && configuration.templates == nil && configuration.trustedRoots == [])
    #expect(configuration.rejectedPartsPerMillionMax == 10_000 && configuration.appAppleID == nil)
    let policy = configuration.policy
    #expect(policy.bundles == [Identifier("com.example.game")] && policy.environment == .production)
    #expect(policy.zone.name == "UTC" && policy.tokenUse == .account && policy.historyFrom == nil)
    #expect(policy.graceCredit == .hours(1) && policy.graceApple == .hours(168) && policy.orderTTL == .hours(72))
    #expect(policy.graceReceipt == .hours(24) && policy.graceRefund == .hours(24) && policy.lateAfter == .hours(1))
    #expect(policy.receiptTTL == .hours(720) && policy.suggestionWindow == .hours(24) && !policy.reverseRefunds)
    #expect(policy.compare == Set(ComparedField.allCases))
    let feed = configuration.feeds[0]
    #expect(feed.path == "/srv/night/in/o-{date}.csv" && feed.name == "in/o-{date}.csv" && feed.kind == .orders)
    #expect(!feed.required && feed.trust == .signature && feed.format == nil && feed.zone.name == "UTC")
}

@Test func theSampleSaysWhatTheDefaultsAre() throws {
    let sample = try ConfigurationReader(file: "/srv/night/reconcile.json").read(sampleConfiguration)
    var plain = try read(
        "timeZone: 'Asia/Shanghai', retry: { maxAmount: { CNY: '100000.00' } },",
        feeds: """
            [{ kind: 'orders', path: 'inbox/orders-{date}.csv', required: true },
             { kind: 'credits', path: 'inbox/credits-{date}.csv', required: true },
             { kind: 'transactions', path: 'inbox/transactions-{date}.jsonl*', required: true }]
            """)
    #expect(sample.policyText == plain.policyText)
    #expect(sample.retry == plain.retry && sample.rejectedPartsPerMillionMax == plain.rejectedPartsPerMillionMax)
    #expect(sample.feeds.map(\.kind) == [.orders, .credits, .transactions, .receipts, .acks, .products])
    plain.feeds = []
    #expect(sample.policyText != plain.policyText)
}

@Test func everySettingIsTaken() throws {
    let configuration = try read(
        """
        ledger: '/var/l.sqlite', output: './o', timeZone: 'Asia/Shanghai', language: 'zh-Hans',
        grace: { credit: '90m', receipt: '0h', refund: '7d', apple: '1h' }, orderTTL: '1d', receiptTTL: '2d',
        suggestionWindow: '3d', lateAfter: '4d', historyFrom: '2026-01-01', compare: ['amount'], maxRejectedShare: 0.000001,
        retry: { enabled: false, maxEntries: 5, maxAmount: { CNY: '1.50', jpy: 200, KWD: '0.001' }, reverseRefunds: true,
          maxAttempts: 3 },
        group: 'finance', templates: 'texts', trustedRoots: ['a.pem', '/b.der'],
        """,
        app: "bundleIDs: ['a.b', 'c-d.e'], appAppleID: 1234567890, environment: 'Sandbox', appAccountToken: 'order'")
    #expect(configuration.ledger == "/var/l.sqlite" && configuration.output == "/srv/night/o")
    #expect(
        configuration.language == .chinese && configuration.group == "finance"
            && configuration.appAppleID == 1_234_567_890)
    #expect(
        configuration.templates == "/srv/night/texts" && configuration.trustedRoots == ["/srv/night/a.pem", "/b.der"])
    #expect(configuration.rejectedPartsPerMillionMax == 1)
    let retry = configuration.retry
    #expect(!retry.isEnabled && retry.entriesMax == 5 && retry.reverseRefunds && retry.attemptsMax == 3)
    #expect(retry.amountMax == ["CNY": 150, "JPY": 200, "KWD": 1])
    let policy = configuration.policy
    #expect(policy.graceCredit == .minutes(90) && policy.graceReceipt == .hours(0) && policy.graceRefund == .days(7))
    #expect(policy.graceApple == .hours(1) && policy.orderTTL == .days(1) && policy.receiptTTL == .days(2))
    #expect(policy.suggestionWindow == .days(3) && policy.lateAfter == .days(4) && policy.compare == [.amount])
    #expect(policy.historyFrom?.text == "2026-01-01" && policy.environment == .sandbox && policy.tokenUse == .order)
    #expect(policy.zone.name == "Asia/Shanghai" && policy.reverseRefunds && policy.bundles.count == 2)
}

@Test func aFeedTakesItsMaps() throws {
    let feeds = try read(
        "timeZone: 'Asia/Tokyo',",
        feeds: """
            [{ kind: 'orders', path: '/data/{date}/*.txt', required: true, format: 'tsv', timeZone: 'UTC',
               columns: { order_id: 'tradeNo', amount_minor: 'rechargeValue' }, statuses: { '已充值': 'credited', x: 'paid' } },
             { kind: 'transactions', path: 't.jsonl', trust: 'backend' },
             { kind: 'order-lookups', path: 'l.jsonl', columns: null },
             { kind: 'apple-finance', path: 'f.txt' }]
            """
    ).feeds
    #expect(feeds[0].required && feeds[0].format == .tsv && feeds[0].path == "/data/{date}/*.txt")
    #expect(
        feeds[0].columns == [
            "order_id": "tradeNo", "amount_minor": "rechargeValue",
            "status": ColumnSource(words: ["已充值": "credited", "x": "paid"]),
        ])
    #expect(feeds[1].trust == .backend && feeds[2].kind == .orderLookups && feeds[3].kind == .appleFinance)
    #expect(feeds[0].zone.name == "UTC" && feeds[1].zone.name == "Asia/Tokyo")
}

@Test(arguments: [
    ("", ""),
    ("historyFrom: null, group: null, templates: null, grace: null, retry: null, maxRejectedShare: null,", ""),
    ("maxRejectedShare: 0,", ""), ("maxRejectedShare: 1.0000000,", ""), ("compare: [],", ""), ("trustedRoots: [],", ""),
    ("timeZone: 'UTC',", ""), ("timeZone: 'Etc/GMT+8',", ""), ("orderTTL: '0m',", ""),
    ("retry: { maxEntries: 0 },", ""),
    ("retry: { maxAmount: {} },", ""), ("ledger: '../l.sqlite',", ""), ("", ", environment: 'Xcode'"),
    ("", ", environment: 'LocalTesting'"), ("", ", appAccountToken: 'none'"), ("// 'grace: 1\n", ""),
])
func thisIsAGoodConfiguration(_ settings: String, _ app: String) throws {
    _ = try read(settings, app: "bundleIDs: ['a.b']" + app)
}

@Test(
    arguments: [
        ("grase: {},", "'grase' is not a key of the configuration", "Did you mean 'grace'?"),
        ("Ledger: 'x',", "'Ledger' is not a key of the configuration", "Did you mean 'ledger'?"),
        ("frobnicate: 1,", "'frobnicate' is not a key of the configuration", "Allowed: app, ledger, output"),
        ("grace: { credits: '1h' },", "'credits' is not a key of grace", "Did you mean 'credit'?"),
        ("retry: { maxEntry: 1 },", "'maxEntry' is not a key of retry", "Did you mean 'maxEntries'?"),
        ("retry: { max_entries: 1 },", "'max_entries' is not a key of retry", "Did you mean 'maxEntries'?"),
        ("ledger: 5,", "ledger is the number 5", "Write text"), ("ledger: '',", "ledger is empty", "Write text"),
        ("output: 'a\\nb',", "output is empty or contains control", "Write text"),
        ("output: {},", "output is an object", "Write text"),
        ("timeZone: 'CST',", "timeZone is 'CST', which is not a time zone", "Asia/Shanghai"),
        ("timeZone: 'Asia/Shangai',", "timeZone is 'Asia/Shangai'", "Asia/Shanghai"),
        ("timeZone: '+08:00',", "timeZone is '+08:00'", "Asia/Shanghai"),
        ("timeZone: 8,", "timeZone is the number 8", "Write text"),
        ("language: 'zh',", "language is 'zh'", "Allowed: en or zh-Hans."),
        ("language: 'EN',", "language is 'EN'", "Did you mean 'en'?"),
        ("grace: '1h',", "grace is the text '1h'", "Write an object"),
        ("grace: { credit: '1x' },", "grace.credit is the text '1x'", "90m"),
        ("grace: { credit: 1 },", "grace.credit is the number 1", "90m"),
        ("grace: { credit: 'h' },", "grace.credit is", "90m"),
        ("grace: { credit: '-1h' },", "grace.credit is", "90m"),
        ("grace: { credit: '1.5h' },", "grace.credit is", "90m"),
        ("grace: { credit: '1 h' },", "grace.credit is", "90m"), ("grace: { credit: '1H' },", "grace.credit is", "90m"),
        ("grace: { credit: '+1h' },", "grace.credit is", "90m"), ("orderTTL: '9999999d',", "orderTTL is", "90m"),
        ("orderTTL: '99999999999999999999h',", "orderTTL is", "90m"),
        // In milliseconds, it does not fit, and what would be left is less than a day.
        ("orderTTL: '213503982335d',", "orderTTL is", "90m"), ("orderTTL: '٣h',", "orderTTL is", "90m"),
        ("historyFrom: '2026-02-30',", "historyFrom is '2026-02-30'", "2026-01-01"),
        ("historyFrom: 2026,", "historyFrom is the number 2026", "Write text"),
        ("compare: 'amount',", "compare is the text 'amount'", "Write a list"),
        ("compare: ['price'],", "compare lists 'price'", "Allowed: product, quantity, currency or amount."),
        ("compare: ['amuont'],", "compare lists 'amuont'", "Did you mean 'amount'?"),
        ("compare: ['amount', 'amount'],", "compare lists 'amount' twice", "Remove"),
        ("compare: [1],", "compare[0] is the number 1", "Write text"),
        ("maxRejectedShare: 2,", "maxRejectedShare is the number 2", "0.01"),
        ("maxRejectedShare: -0.1,", "maxRejectedShare", "0.01"),
        ("maxRejectedShare: 1e-2,", "maxRejectedShare is the number 1e-2", "0.01"),
        ("maxRejectedShare: 0.0000001,", "maxRejectedShare", "0.01"),
        ("maxRejectedShare: '1%',", "maxRejectedShare", "0.01"),
        ("retry: { enabled: 'yes' },", "retry.enabled is the text 'yes'", "Write true or false."),
        ("retry: { enabled: 1 },", "retry.enabled is the number 1", "Write true or false."),
        ("retry: { maxEntries: -1 },", "retry.maxEntries is the number -1", "whole number from 0"),
        ("retry: { maxEntries: 1.5 },", "retry.maxEntries is the number 1.5", "whole number"),
        ("retry: { maxAttempts: 0 },", "retry.maxAttempts is the number 0", "whole number from 1 to 100."),
        ("retry: { maxAmount: 5 },", "retry.maxAmount is the number 5", "Write an object"),
        ("retry: { maxAmount: { RMBX: '1' } },", "'RMBX' is not a currency", "three letters"),
        ("retry: { maxAmount: { CNY: '1.001' } },", "retry.maxAmount.CNY is the text '1.001'", "\"100000.00\""),
        ("retry: { maxAmount: { JPY: '1.5' } },", "retry.maxAmount.JPY is the text '1.5'", "\"100000\""),
        ("retry: { maxAmount: { CNY: '1,000' } },", "retry.maxAmount.CNY", "\"100000.00\""),
        ("retry: { maxAmount: { CNY: '-1' } },", "retry.maxAmount.CNY", "\"100000.00\""),
        ("retry: { maxAmount: { CNY: true } },", "retry.maxAmount.CNY is true", "\"100000.00\""),
        ("retry: { maxAmount: { CNY: '1', cny: '2' } },", "retry.maxAmount lists CNY twice", "Remove"),
        ("group: '',", "group is empty", "Write text"),
        ("trustedRoots: 'x',", "trustedRoots is the text 'x'", "Write a list"),
        ("trustedRoots: [''],", "trustedRoots[0] is empty", "Write text"), ("app: {},", "'app' occurs twice", "line 2"),
        ("ledger: 'a', ledger: 'b',", "'ledger' occurs twice", "line 2"),
        ("ledger 'a',", "expected ':' after 'ledger'", "JSON5"),
    ] as [(String, String, String)])
func aWrongSettingIsNamedWithItsLineAndWhatIsAllowed(_ settings: String, _ message: String, _ remedy: String) {
    let found = problem { try read(settings) }
    #expect(found?.message.contains(message) == true, "\(found?.message ?? "")")
    #expect(found?.remedy.contains(remedy) == true, "\(found?.remedy ?? "")")
    #expect(found?.position.line == (settings.hasPrefix("app") ? 3 : 2))
}

@Test(arguments: [
    ("bundleIDs: []", "app.bundleIDs lists no app"), ("", "app.bundleIDs lists no app"),
    ("bundleIDs: 'a.b'", "app.bundleIDs is the text 'a.b'"), ("bundleIDs: ['']", "app.bundleIDs[0] is empty"),
    ("bundleIDs: ['a b']", "app.bundleIDs lists 'a b'"), ("bundleIDs: ['a', 'a']", "app.bundleIDs lists 'a' twice"),
    ("bundleIds: ['a']", "'bundleIds' is not a key of app"),
    ("bundleIDs: ['a'], appAppleID: '1'", "app.appAppleID is the text"),
    ("bundleIDs: ['a'], appAppleID: 0", "app.appAppleID is the number 0"),
    ("bundleIDs: ['a'], environment: 'production'", "app.environment is 'production'"),
    ("bundleIDs: ['a'], environment: 'other'", "app.environment is 'other'"),
    ("bundleIDs: ['a'], appAccountToken: 'user'", "app.appAccountToken is 'user'"),
])
func aWrongAppIsNamed(_ app: String, _ message: String) {
    let found = problem { try read(app: app) }
    #expect(found?.message.contains(message) == true, "\(found?.message ?? "")")
    #expect(found?.position.line == 3)
}

@Test(arguments: [
    ("[]", "feeds lists no feed"), ("{}", "feeds lists no feed"), ("null", "feeds lists no feed"),
    ("[5]", "feeds[0] is the number 5"),
    ("[{ path: 'x' }]", "feeds[0].kind is missing"), ("[{ kind: 'orders' }]", "feeds[0].path is missing"),
    ("[{ kind: 'order', path: 'x' }]", "feeds[0].kind is 'order'"),
    ("[{ kind: 1, path: 'x' }]", "feeds[0].kind is the number 1"),
    ("[{ kind: 'orders', path: '' }]", "feeds[0].path is empty"),
    ("[{ kind: 'orders', path: 'in/' }]", "feeds[0].path is 'in/'"),
    ("[{ kind: 'orders', path: '{day}.csv' }]", "feeds[0].path is '{day}.csv'"),
    ("[{ kind: 'orders', path: '{date:yyyyMM}' }]", "feeds[0].path is '{date:yyyyMM}'"),
    ("[{ kind: 'orders', path: '{date:yyyyMMddHH}' }]", "feeds[0].path is '{date:yyyyMMddHH}'"),
    ("[{ kind: 'orders', path: '{date:yyyy/MM/dd}' }]", "feeds[0].path is '{date:yyyy/MM/dd}'"),
    ("[{ kind: 'orders', path: 'x', required: 'true' }]", "feeds[0].required is the text"),
    ("[{ kind: 'orders', path: 'x', requierd: true }]", "'requierd' is not a key of feeds[0]"),
    ("[{ kind: 'orders', path: 'x', format: 'xls' }]", "feeds[0].format is 'xls'"),
    ("[{ kind: 'orders', path: 'x', trust: 'apple' }]", "feeds[0].trust is 'apple'"),
    ("[{ kind: 'orders', path: 'x', timeZone: 'PST' }]", "feeds[0].timeZone is 'PST'"),
    ("[{ kind: 'orders', path: 'x', columns: { orderid: 'a' } }]", "'orderid' is not a column of orders"),
    ("[{ kind: 'orders', path: 'x', columns: { order_id: 1 } }]", "feeds[0].columns.order_id is the number 1"),
    ("[{ kind: 'transactions', path: 'x', columns: { a: 'b' } }]", "feeds[0].columns is not used"),
    ("[{ kind: 'credits', path: 'x', statuses: { a: 'paid' } }]", "feeds[0].statuses is not used"),
    ("[{ kind: 'orders', path: 'x', statuses: { a: 'done' } }]", "feeds[0].statuses.a is 'done'"),
    ("[{ kind: 'orders', path: 'x' }, { kind: 'orders', path: 'x' }]", "feeds[1].path is already the path of feeds[0]"),
    (
        "[{ kind: 'orders', path: 'x' }, { kind: 'credits', path: './x' }]",
        "feeds[1].path is already the path of feeds[0]"
    ),
])
func aWrongFeedIsNamed(_ feeds: String, _ message: String) {
    let found = problem { try read(feeds: feeds) }
    #expect(found?.message.contains(message) == true, "\(found?.message ?? "")")
    #expect(found?.position.line == 3)
}

@Test func aMistypedColumnIsRecognised() {
    let found = problem { try read(feeds: "[{ kind: 'orders', path: 'x',\n columns: { orderid: 'a' } }]") }
    #expect(found?.remedy == "Did you mean 'order_id'?" && found?.position == JSON5.Position(line: 4, column: 13))
}

@Test func whateverChangesVerdictsChangesThePolicyText() throws {
    let plain = try read().policyText
    let settings = [
        "timeZone: 'Asia/Tokyo',", "grace: { credit: '2h' },", "grace: { refund: '2h' },", "grace: { receipt: '2h' },",
        "grace: { apple: '2h' },", "orderTTL: '1h',", "receiptTTL: '1h',", "suggestionWindow: '1h',",
        "lateAfter: '2h',",
        "historyFrom: '2025-01-01',", "compare: ['amount'],", "retry: { reverseRefunds: true },",
    ]
    var texts = try settings.map { try read($0).policyText }
    texts += try [
        "bundleIDs: ['b']", "bundleIDs: ['com.example.game'], environment: 'Sandbox'",
        "bundleIDs: ['com.example.game'], appAccountToken: 'order'",
    ].map { try read(app: $0).policyText }
    texts.append(try read(feeds: "[{ kind: 'orders', path: 'o', required: true }]").policyText)
    #expect(Set(texts + [plain]).count == texts.count + 1)
    let indifferent = [
        "language: 'zh-Hans',", "ledger: 'x',", "retry: { maxEntries: 1 },",
        "compare: ['currency', 'amount', 'quantity', 'product'],",
    ]
    for setting in indifferent { #expect(try read(setting).policyText == plain) }
}
