/// The table of commands. docs/spec/interfaces.md#commands defines names, operands, options and exit codes.
extension Command {
    static let nightly = Command(
        name: "nightly", summary: "reconcile a business date and publish the reports",
        description:
            "Reads every delivered file that was not read before and is dated up to the business date, gives every "
            + "subject one verdict, and publishes the reports, completely or not at all.",
        options: Option.configuration + [.asOf, .date, .dryRun, .preview, .newLedger, .exitCode],
        examples: [
            "nightly --config reconcile.json": "the day that has ended; for cron",
            "nightly --config reconcile.json --date 2025-11-18": "that business date",
            "nightly --config reconcile.json --dry-run --preview /tmp/look": "try it; nothing is kept",
        ],
        endings: [
            .no: "with --exit-code: exceptions are open",
            .look: "published, but retry entries are held, or a file is missing, refused or unusual",
            .inputRefused: "a required feed's file was refused; nothing was changed",
            .configuration: "among others: there are reports, but their ledger is missing",
        ])

    static let monthly = Command(
        name: "monthly", summary: "tie a month out and compare it with Apple's report",
        description:
            "Writes the month's workbook: money, exceptions, cut-off, and the bridge to Apple's financial reports. "
            + "What later nights change in a closed month appears in the months that follow.",
        operands: Operands(synopsis: "YYYY-MM", noun: "month", count: 1...1),
        options: Option.configuration
            + [.appleReport, .period, .fiscal, .asOf, .close, .approve, .by, .approver, .note, .acceptUnexplained],
        examples: [
            "monthly 2025-11 --config reconcile.json": "November so far",
            "monthly 2025-11 --close --by li": "close it; then another user runs it with --approve",
        ],
        endings: [
            .look: "published, but a feed of the month is missing or refused, or something is unexplained",
            .inputRefused: "a report from Apple cannot be used; nothing was changed",
            .noInput: "the ledger contains no night yet",
        ])

    static let collect = Command(
        name: "collect", summary: "run the commands of feeds",
        description:
            "Runs the command of each feed that has one and whose file of the business date, or of a date since its newest file, "
            + "is not there. Its output becomes the file, completely or not at all. A command that fails is named by the "
            + "night as a coverage gap.",
        options: Option.configuration + [.date, .again],
        examples: [
            "collect --config reconcile.json": "before each night",
            "collect --date 2025-11-18 --again --config reconcile.json": "that business date once more",
        ],
        endings: [
            .unavailable: "a command failed; its file is not there",
            .busy: "another collection is going on",
            .configuration: "among others: no feed has a command",
        ])

    static let lookup = Command(
        name: "lookup", summary: "answer a customer: what happened to this purchase",
        description: "Takes any identifier (transaction, order, account, credit, token, exception) and shows the "
            + "verdict, whether it is safe to compensate by hand, and a timeline of all evidence.",
        operands: Operands(synopsis: "IDENTIFIER...", noun: "identifier", count: 1...1000),
        options: Option.configuration + [.asker, .json, .html, .lang, .mask],
        examples: [
            "lookup 2000000123456789 --config reconcile.json": "by transaction",
            "lookup ORD1000000042 --lang zh-Hans --config reconcile.json": "an order, in Chinese",
        ],
        endings: [.no: "one of the identifiers is unknown"])

    static let find = Command(
        name: "find", summary: "find a purchase without an id: by day, time, amount or product",
        description:
            "Lists up to 20 purchases: those without a known owner first, then those whose goods are missing. It never "
            + "says that goods may be given.",
        options: Option.configuration + [
            .date.meaning("the date of the purchase"), .since, .until, .around, .within, .amount, .currency, .product,
            .storefront, .account, .ends, .asker, .json, .lang, .mask,
        ],
        examples: [
            "find --date 2025-11-18 --around 15:57 --config reconcile.json": "day and time"
        ],
        endings: [.no: "no purchase fits"])

    static let why = Command(
        name: "why", summary: "show what lost orders have in common",
        description:
            "Shows the share of orders that were lost, how long customers waited, and what the lost orders have in common, such as an "
            + "app version. Reads the ledger alone.",
        options: Option.configuration + [.since, .until, .dimension, .json, .lang],
        examples: [
            "why --config reconcile.json": "the last four weeks",
            "why --since 2025-11-01 --until 2025-11-30 --group-by hour":
                "November by hour; RECONCILE_CONFIG is set",
        ],
        endings: [.noInput: "the ledger contains no night yet"])

    static let ask = Command(
        name: "ask", summary: "ask Apple about a purchase now",
        description:
            "Asks Apple for a transaction, or for the order id of Apple's e-mail (M...), verifies what Apple signed, keeps it "
            + "for the next night, and shows what the ledger knows about it.",
        operands: Operands(synopsis: "ID...", noun: "id", count: 1...100),
        options: Option.configuration + [.lang, .mask],
        examples: [
            "ask 2000000123456789 --config reconcile.json": "a transaction",
            "ask MK5TTTVWJH --config reconcile.json": "the order id that a customer reads out",
        ],
        endings: [
            .no: "Apple does not know one of the ids, or what it sent does not verify",
            .unavailable: "Apple could not be asked; nothing was kept",
        ])

    static let desk = Command(
        name: "desk", summary: "answer a web server's request: the desk's look-up page",
        description: "A CGI program. A web server with a login starts it for each request; it shows the form, the "
            + "answers of lookup, and the last night's report, and records each look-up. With the configurations of several "
            + "apps, one page answers for all of them.",
        operands: Operands(synopsis: "[CONFIGURATION...]", noun: "configuration", count: 0...100),
        options: Option.configuration,
        examples: ["desk --config /srv/reconcile/reconcile.json": "in the web server's wrapper"],
        endings: [.usage: "no web server started it"])

    static let demo = Command(
        name: "demo", summary: "create a sample shop, reconcile it, show the reports",
        description: "Writes a realistic sample with its configuration into a new directory and reconciles it.",
        operands: Operands(synopsis: "[DIRECTORY]", noun: "directory", count: 0...1),
        options: [.orders, .seed],
        examples: [
            "demo": "into ./demo-night",
            "demo /tmp/night --orders 100000 --seed 7": "a larger one, elsewhere",
        ],
        endings: [.cannotCreate: "the directory is not empty"])

    static let initialize = Command(
        name: "init", summary: "write a commented configuration and create folders",
        description: "Creates a new set-up: a commented reconcile.json, inbox/ for the feeds, out/ "
            + "for the reports. With --from, reads the beginning of the files named, and writes into reconcile.json of the "
            + "current directory what they are; what they leave open is marked DECIDE. Nothing that exists is overwritten.",
        operands: Operands(synopsis: "[DIRECTORY]", noun: "directory", count: 0...1),
        options: [
            .from.meaning("a file that the shop exported"),
            .config.meaning("with --from: the file to write; default: reconcile.json"), .systemd,
        ], manyValued: .from,
        examples: [
            "init": "in the current directory",
            "init /srv/reconcile": "in that directory, which is created if needed",
            "init --from inbox/*": "from the shop's own files",
            "init /srv/reconcile --systemd": "for root's shell: the units' paths and time zone, as configured there",
        ],
        endings: [.cannotCreate: "a configuration exists already", .noInput: "a file of --from is not there"])

    static let verify = Command(
        name: "verify", summary: "verify Apple's signatures in files",
        description: "Shows what a JWS, a notification or a receipt is, whether its signature is valid and under which "
            + "root, and the transactions in it.",
        operands: Operands(synopsis: "FILE...", noun: "file", count: 1...10_000),
        options: [.root, .json],
        examples: [
            "verify receipt.b64": "one receipt",
            "verify transactions.jsonl --json": "every line of a file",
        ],
        endings: [.no: "something is not verified"])
}

extension Command {
    static let waive = Command(
        name: "waive", summary: "waive an exception until its facts change",
        description:
            "Takes an exception off the open list until its facts change. The name and the reason are recorded. With --from, "
            + "takes ids and notes from a list such as exceptions.csv or a sheet of the workbook saved as CSV: all "
            + "rows with a new note, or none.",
        operands: Operands(synopsis: "[EXCEPTION-ID]", noun: "exception id", count: 0...1),
        options: [.by, .note, .from, .dryRun] + Option.configuration + [.asOf],
        examples: [
            "waive E3f9c2a7be01d4c55 --by Li --note 'paid back by bank'":
                "RECONCILE_CONFIG is set, which works for every command",
            "waive --from decisions.csv --by Li --dry-run": "every row of a list that has a new note; first only look",
        ],
        endings: [.no: "nothing was changed", .noInput: "the exception is unknown"])

    static let unwaive = Command(
        name: "unwaive", summary: "withdraw a waiver",
        description: "Opens a waived exception again. The name and the reason are recorded.",
        operands: Operands(synopsis: "EXCEPTION-ID", noun: "exception id", count: 1...1),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: ["unwaive E3f9c2a7be01d4c55 --by Li --note 'the bank returned it'": "with name and reason"],
        endings: [.no: "nothing was changed", .noInput: "the exception is unknown"])

    static let given = Command(
        name: "given", summary: "record that the desk gave a purchase's goods by hand",
        description: "The look-up answers NO from then on, and the next night withdraws the automatic credit and waits "
            + "for the desk's credit. The second record of a purchase is refused. With --from, all rows of a list that "
            + "have a transaction id and a note are recorded.",
        operands: Operands(synopsis: "[TRANSACTION]", noun: "transaction id", count: 0...1),
        options: [.from, .dryRun, .by, .note] + Option.configuration + [.asOf],
        examples: ["given 2000000123456789 --by Li --config reconcile.json": "before the goods are given"],
        endings: [
            .no: "it was recorded before; give nothing",
            .noInput: "the purchase is unknown",
        ])

    static let ungiven = Command(
        name: "ungiven", summary: "withdraw a record of goods given by hand",
        description: "For a record that was made by mistake. The name is recorded.",
        operands: Operands(synopsis: "TRANSACTION", noun: "transaction id", count: 1...1),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: ["ungiven 2000000123456789 --by Li --config reconcile.json": "the record was a mistake"],
        endings: [.noInput: "the record is unknown"])

    static let release = Command(
        name: "release", summary: "release held or dead retry entries",
        description: "Sends retry entries again with the next night: single ones by key, all held entries, "
            + "all on the dead-letter list, or with --from all rows of a list that have a retry key and a new note.",
        operands: Operands(synopsis: "[KEY...]", noun: "key", count: 0...10_000),
        options: [.held, .dead, .from, .dryRun, .by, .note] + Option.configuration + [.asOf],
        examples: ["release --held --by Li --note 'checked' --config reconcile.json": "all held entries"],
        endings: [.no: "no entry is released", .noInput: "the entry is unknown"])

    static let gap = Command(
        name: "gap", summary: "accept a day without a file or rejected rows, or withdraw that",
        description: "Records that nothing is missing although a file is: the day then counts as delivered without "
            + "rows, and stays in the reports with name and reason. FEED is the feed's name, or its kind if there is one "
            + "such feed. FILE or FILE:LINE, as a message gives it, names rejected rows that stand for nothing: they "
            + "then withhold no goods. With reopen, the day is a coverage gap again, or the rows withhold goods again.",
        operands: Operands(synopsis: "accept|reopen FEED DATE|FILE[:LINE]", noun: "operand", count: 2...3),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: ["gap accept credits 2025-11-18 --by Li --note 'nothing was sold'": "RECONCILE_CONFIG is set"],
        endings: [.noInput: "the feed or the gap is unknown; nothing was changed"])

    static let check = Command(
        name: "check", summary: "check configuration, feeds, ledger and reports",
        description: "Checks the configuration, the feeds' files, permissions and disk space; the ledger's integrity, "
            + "conservation, chain of runs and verdicts; and the published reports.",
        options: Option.configuration + [.json, .online],
        examples: ["check --config reconcile.json": "after an incident, or weekly"],
        endings: [
            .no: "something is wrong; every problem is printed",
            .inputOutput: "the ledger cannot be read completely",
        ])

    static let settings = Command(
        name: "settings", summary: "print the effective settings",
        description:
            "Prints a line NAME=VALUE for each setting that scripts around the program need: bundle_ids, language, "
            + "ledger, output and time_zone, with absolute paths. Where Apple is asked, also apple, the folder of fetched "
            + "files; where feeds have commands, also commands, their number; where the desk's folder is there, also desk.",
        options: Option.configuration,
        examples: ["settings --config reconcile.json": "for a script"])

    static let backup = Command(
        name: "backup", summary: "copy the ledger, even during a run",
        description: "Writes a consistent copy of the ledger into a new file, and checks the copy.",
        operands: Operands(synopsis: "FILE", noun: "file", count: 1...1), options: Option.configuration,
        examples: ["backup /backup/ledger-1118.sqlite --config reconcile.json": "a new file"],
        endings: [
            .noInput: "the ledger contains no night yet",
            .cannotCreate: "the file exists",
        ])

    static let restore = Command(
        name: "restore", summary: "restore a backup",
        description: "Checks a backup and puts it in place of the ledger, which is kept beside it. The name is "
            + "recorded.",
        operands: Operands(synopsis: "FILE", noun: "file", count: 1...1), options: [.by] + Option.configuration,
        examples: ["restore /backup/ledger-1118.sqlite --by Li --config reconcile.json": "the old ledger is kept"],
        endings: [
            .noInput: "the file does not exist",
            .inputOutput: "the file is damaged or not a backup; nothing was changed",
            .busy: "a run is using the ledger",
        ])

    static let upgrade = Command(
        name: "upgrade", summary: "bring the ledger of an older release to this version",
        description:
            "Does what the next night would do first, so that look-ups work before it. A checked copy of the ledger "
            + "as it was stays beside it, for the way back. There must be room for the copy, and for as much again.",
        options: Option.configuration,
        examples: ["upgrade --config reconcile.json": "after a new version was installed"],
        endings: [
            .inputOutput: "no room, or the ledger is damaged; it was not changed",
            .busy: "a run is using the ledger",
            .configuration: "among others: the ledger is newer than the program",
        ])

    static let prune = Command(
        name: "prune", summary: "remove raw and personal data of old nights",
        description: "Removes device ids, labels and the text of rejected rows older than DAYS, from the "
            + "ledger and from published reports; never keys, owners or credits. It first proves that no verdict "
            + "changes. "
            + "With --reports, removes the reports of nights that are older instead; the ledger can render them again.",
        options: [.olderThan, .reports, .dryRun] + Option.configuration,
        examples: [
            "prune --reports --older-than 400 --config reconcile.json": "remove old reports",
            "prune --older-than 400 --config reconcile.json": "keep a little more than a year",
        ],
        endings: [.busy: "a run is using the ledger"])
}

extension Command {
    static let generate = Command(
        name: "generate", summary: "write the manual page or shell completions",
        description:
            "Writes the manual page (man) or shell completions (bash, zsh, fish), made from the same table "
            + "as the parser.",
        operands: Operands(synopsis: "man|bash|zsh|fish", noun: "kind", count: 1...1),
        examples: ["generate man": "for man(1)"], isHidden: true)
}
