/// The options of single commands.
extension Option {
    static let asOf = Option(
        name: "as-of", value: .text("INSTANT"), help: "what counts as now: 2025-11-19T04:00:00+08:00")
    static let date = Option(
        name: "date", value: .text("YYYY-MM-DD"), help: "the business date; default: yesterday")
    static let again = Option(name: "again", help: "replace files that exist already")
    static let dryRun = Option(name: "dry-run", help: "change neither ledger nor reports")
    static let preview = Option(name: "preview", value: .folder, help: "with --dry-run: write the reports there")
    static let newLedger = Option(
        name: "new-ledger", help: "start a new ledger although an earlier one has published reports")
    static let exitCode = Option(name: "exit-code", help: "exit with 1 if exceptions are open")
    static let appleReport = Option(
        name: "apple-report", value: .file, help: "Apple's financial report, or financial_report.csv",
        isRepeatable: true)
    static let period = Option(
        name: "period", value: .text("FIRST..LAST"), help: "compare a report of these days all the same")
    static let fiscal = Option(name: "fiscal", help: "Apple's fiscal month instead of the calendar month")
    static let close = Option(name: "close", help: "close the month for good; needs --by")
    static let approver = Option(name: "approver", value: .text("NAME"), help: "with --close: the person to approve it")
    static let approve = Option(name: "approve", help: "approve a closed month as another user; needs --by")
    static let acceptUnexplained = Option(
        name: "accept-unexplained", value: .text("NOTE"),
        help: "with --close: why it may stay unexplained")
    static let since = Option(
        name: "since", value: .text("YYYY-MM-DD"), help: "the first date")
    static let until = Option(
        name: "until", value: .text("YYYY-MM-DD"), help: "the last date")
    static let dimension = Option(
        name: "group-by", value: .text("NAME"), help: "list the values of this label, or of product, hour …")
    static let json = Option(name: "json", help: "print JSON")
    static let online = Option(name: "online", help: "also try the keys with Apple")
    static let asker = Option(
        name: "asker", value: .text("ACCOUNT"),
        help: "the customer's account; purchases of other accounts are answered NO")
    static let around = Option(name: "around", value: .text("HH:MM"), help: "the time of day of the payment")
    static let within = Option(
        name: "within", value: .text("MINUTES"), help: "by how much --around may be wrong: 15 to 1440; default: 30")
    static let amount = Option(name: "amount", value: .text("AMOUNT"), help: "what was paid: 25.00")
    static let currency = Option(name: "currency", value: .text("CODE"), help: "the currency of --amount: CNY")
    static let product = Option(name: "product", value: .text("NAME"), help: "the product's id or name")
    static let storefront = Option(
        name: "storefront", value: .text("CODE"), help: "Apple's code of the storefront: CHN")
    static let account = Option(name: "account", value: .text("TEXT"), help: "what the account begins with")
    static let ends = Option(
        name: "ends", value: .text("TEXT"), help: "the last characters of the order or transaction id")
    static let html = Option(name: "html", value: .file, help: "also write the answer as a page")
    static let lang = Option(
        name: "lang", value: .choice(Language.allCases.map(\.rawValue)), help: "language of the answer")
    static let mask = Option(name: "mask", help: "mask accounts and tokens")
    static let orders = Option(name: "orders", value: .text("N"), help: "number of orders; default 2000")
    static let seed = Option(name: "seed", value: .text("S"), help: "seed of the sample; default 1")
    static let root = Option(
        name: "root", value: .file, help: "an additional trusted root certificate (DER or PEM)", isRepeatable: true)
    static let by = Option(name: "by", value: .text("NAME"), help: "who decides; recorded")
    static let note = Option(name: "note", value: .text("TEXT"), help: "why; recorded")
    static let from = Option(name: "from", value: .file, help: "a CSV of ids and notes")
    static let held = Option(
        name: "held", help: "all entries that are held; this also accepts the last night's guard findings")
    static let dead = Option(name: "dead", help: "all entries on the dead-letter list")
    static let systemd = Option(
        name: "systemd", help: "only print drop-ins for systemd's units, from the configuration there")
    static let reports = Option(name: "reports", help: "remove the published reports of old nights instead")
    static let olderThan = Option(name: "older-than", value: .text("DAYS"), help: "remove what is older")
    static let plan = Option(name: "plan", value: .file, help: "the plan that the stage plan wrote")
    static let basis = Option(name: "basis", value: .file, help: "the basis that the stage basis wrote")
    static let delivery = Option(name: "delivery", value: .text("N"), help: "with take: the file of that number")
    static let entries = Option(name: "entries", help: "with take: the exceptions that the night follows")
    static let keys = Option(name: "keys", value: .text("COUNT,SUM"), help: "with publish: what the stage tie counted")
    static let evidence = Option(
        name: "evidence", value: .text("NAME"), help: "with publish: where the lake keeps tonight's evidence")
}
