internal import Console
internal import Fetch
internal import Settings

/// The table of commands. docs/spec/interfaces.md#commands defines names, operands, options and exit codes.
extension Command {
    static let all = [
        nightly, monthly, fetch, ask, lookup, desk, demo, initialize, verify, waive, unwaive, given, ungiven, release,
        gap, check,
        settings, backup,
        restore,
        prune, cluster,
    ]

    static let nightly = Command(
        name: "nightly", summary: "reconcile a business date and publish the reports",
        description:
            "Reads every delivered file that was not read before and is dated up to the business date, gives every "
            + "subject one verdict, and publishes the reports, completely or not at all.",
        options: Option.configuration + [.asOf, .date, .dryRun, .preview, .newLedger, .exitCode],
        examples: [
            Example(line: "nightly --config reconcile.json", purpose: "the day that has ended; for cron"),
            Example(line: "nightly --config reconcile.json --date 2025-11-18", purpose: "that business date"),
            Example(
                line: "nightly --config reconcile.json --dry-run --preview /tmp/look",
                purpose: "try it; nothing is kept"),
        ],
        endings: [
            Ending(code: .no, meaning: "with --exit-code: exceptions are open"),
            Ending(
                code: .look, meaning: "published, but retry entries are held, or a file is missing, refused or unusual"),
            Ending(code: .inputRefused, meaning: "a required feed's file was refused; nothing was changed"),
            Ending(code: .configuration, meaning: "among others: there are reports, but their ledger is missing"),
        ])

    static let monthly = Command(
        name: "monthly", summary: "close a month and compare it with Apple's report",
        description:
            "Writes the month's workbook: money, exceptions, cut-off, and the bridge to Apple's financial reports. "
            + "What later nights change in a closed month appears in the months that follow.",
        operands: Operands(synopsis: "YYYY-MM", noun: "month", count: 1...1),
        options: Option.configuration
            + [.appleReport, .period, .fiscal, .asOf, .close, .by, .approver, .note, .acceptUnexplained],
        examples: [
            Example(line: "monthly 2025-11 --config reconcile.json", purpose: "November so far"),
            Example(
                line: "monthly 2025-11 --close --by li --approver wang",
                purpose: "close it; RECONCILE_CONFIG is set"),
        ],
        endings: [
            Ending(
                code: .look,
                meaning: "published, but a feed of the month is missing or refused, or something is unexplained"),
            Ending(code: .inputRefused, meaning: "a report from Apple cannot be used; nothing was changed"),
            Ending(code: .noInput, meaning: "the ledger contains no night yet"),
        ])

    static let lookup = Command(
        name: "lookup", summary: "answer a customer: what happened to this purchase",
        description: "Takes any identifier (transaction, order, account, credit, token, exception) and shows the "
            + "verdict, whether it is safe to compensate by hand, and a timeline of all evidence.",
        operands: Operands(synopsis: "IDENTIFIER...", noun: "identifier", count: 1...1000),
        options: Option.configuration + [.json, .html, .lang, .mask],
        examples: [
            Example(line: "lookup 2000000123456789 --config reconcile.json", purpose: "by transaction"),
            Example(
                line: "lookup ORD1000000042 --lang zh-Hans --config reconcile.json", purpose: "an order, in Chinese"),
        ],
        endings: [Ending(code: .no, meaning: "one of the identifiers is unknown")])

    static let ask = Command(
        name: "ask", summary: "ask Apple about a purchase now",
        description:
            "Asks Apple for a transaction, or for the order id of Apple's e-mail (M…), verifies what Apple signed, keeps it "
            + "for the next night, and shows what the ledger knows about it.",
        operands: Operands(synopsis: "ID...", noun: "id", count: 1...100),
        options: Option.configuration + [.lang, .mask],
        examples: [
            Example(line: "ask 2000000123456789 --config reconcile.json", purpose: "a transaction"),
            Example(line: "ask MK5TTTVWJH --config reconcile.json", purpose: "the order id that a customer reads out"),
        ],
        endings: [
            Ending(code: .no, meaning: "Apple does not know one of the ids, or what it sent does not verify"),
            Ending(code: .unavailable, meaning: "Apple could not be asked; nothing was kept"),
        ])

    static let desk = Command(
        name: "desk", summary: "answer a web server's request: the desk's look-up page",
        description: "A CGI program. A web server with a login starts it for each request; it shows the form, the "
            + "answers of lookup, and the last night's report, and records each look-up. With the configurations of several "
            + "apps, one page answers for all of them.",
        operands: Operands(synopsis: "[CONFIGURATION...]", noun: "configuration", count: 0...100),
        options: Option.configuration,
        examples: [
            Example(line: "desk --config /srv/reconcile/reconcile.json", purpose: "in the web server's wrapper")
        ],
        endings: [Ending(code: .usage, meaning: "no web server started it")])

    static let demo = Command(
        name: "demo", summary: "create a sample shop, reconcile it, show the reports",
        description: "Writes a realistic sample with its configuration into a new directory and reconciles it.",
        operands: Operands(synopsis: "[DIRECTORY]", noun: "directory", count: 0...1),
        options: [.orders, .seed],
        examples: [
            Example(line: "demo", purpose: "into ./demo-night"),
            Example(line: "demo /tmp/night --orders 100000 --seed 7", purpose: "a larger one, elsewhere"),
        ],
        endings: [Ending(code: .cannotCreate, meaning: "the directory is not empty")])

    static let initialize = Command(
        name: "init", summary: "write a commented configuration and create folders",
        description: "Creates a new set-up: reconcile.json with every setting explained, inbox/ for the feeds, out/ "
            + "for the reports. Nothing that exists is overwritten.",
        operands: Operands(synopsis: "[DIRECTORY]", noun: "directory", count: 0...1), options: [.systemd],
        examples: [
            Example(line: "init", purpose: "in the current directory"),
            Example(line: "init /srv/reconcile", purpose: "in that directory, which is created if needed"),
            Example(
                line: "init /srv/reconcile --systemd",
                purpose: "for root's shell: the units' paths and time zone, as configured there"),
        ],
        endings: [Ending(code: .cannotCreate, meaning: "a configuration exists already")])

    static let verify = Command(
        name: "verify", summary: "verify Apple's signatures in files",
        description: "Shows what a JWS, a notification or a receipt is, whether its signature is valid and under which "
            + "root, and the transactions in it.",
        operands: Operands(synopsis: "FILE...", noun: "file", count: 1...10_000),
        options: [.root, .json],
        examples: [
            Example(line: "verify receipt.b64", purpose: "one receipt"),
            Example(line: "verify transactions.jsonl --json", purpose: "every line of a file"),
        ],
        endings: [Ending(code: .no, meaning: "something is not verified")])
}

extension Command {
    static let waive = Command(
        name: "waive", summary: "accept an exception as it is",
        description:
            "Takes an exception off the open list until its facts change. The name and the reason are recorded. With --from, "
            + "takes ids and notes from a list such as exceptions.csv or a sheet of the workbook saved as CSV: all "
            + "rows with a new note, or none.",
        operands: Operands(synopsis: "[EXCEPTION-ID]", noun: "exception id", count: 0...1),
        options: [.by, .note, .from, .dryRun] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "waive E3f9c2a7be01d4c55 --by Li --note 'paid back by bank'",
                purpose: "RECONCILE_CONFIG is set, which works for every command"),
            Example(
                line: "waive --from decisions.csv --by Li --dry-run",
                purpose: "every row of a list that has a new note; first only look"),
        ],
        endings: [Ending(code: .noInput, meaning: "the exception is unknown")])

    static let unwaive = Command(
        name: "unwaive", summary: "withdraw a waiver",
        description: "Opens a waived exception again. The name and the reason are recorded.",
        operands: Operands(synopsis: "EXCEPTION-ID", noun: "exception id", count: 1...1),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "unwaive E3f9c2a7be01d4c55 --by Li --note 'the bank returned it'",
                purpose: "with name and reason")
        ],
        endings: [Ending(code: .noInput, meaning: "the exception is unknown")])

    static let given = Command(
        name: "given", summary: "record that the desk gave a purchase's goods by hand",
        description: "The look-up answers NO from then on, and the next night withdraws the automatic credit and waits "
            + "for the desk's credit. The second record of a purchase is refused. With --from, all rows of a list that "
            + "have a transaction id and a note are recorded.",
        operands: Operands(synopsis: "[TRANSACTION]", noun: "transaction id", count: 0...1),
        options: [.from, .dryRun, .by, .note] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "given 2000000123456789 --by Li --config reconcile.json", purpose: "before the goods are given")
        ],
        endings: [
            Ending(code: .no, meaning: "it was recorded before; give nothing"),
            Ending(code: .noInput, meaning: "the purchase is unknown"),
        ])

    static let ungiven = Command(
        name: "ungiven", summary: "withdraw such a record",
        description: "For a record that was made by mistake. The name is recorded.",
        operands: Operands(synopsis: "TRANSACTION", noun: "transaction id", count: 1...1),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: [Example(line: "ungiven 2000000123456789 --by Li --config reconcile.json", purpose: "with the name")],
        endings: [Ending(code: .noInput, meaning: "the record is unknown")])

    static let release = Command(
        name: "release", summary: "release held or dead retry entries",
        description: "Sends retry entries again with the next night: single ones by key, all held entries, "
            + "all on the dead-letter list, or with --from all rows of a list that have a retry key and a new note.",
        operands: Operands(synopsis: "[KEY...]", noun: "key", count: 0...10_000),
        options: [.held, .dead, .from, .dryRun, .by, .note] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "release --held --by Li --note 'checked' --config reconcile.json", purpose: "all held entries")
        ],
        endings: [Ending(code: .noInput, meaning: "the entry is unknown")])

    static let gap = Command(
        name: "gap", summary: "accept a day without a file, or withdraw that",
        description: "Decides that a missing or refused file lacks nothing: the day then counts as delivered without "
            + "rows, and stays in the reports with name and reason. FEED is the feed's name, or its kind if there is one "
            + "such feed. With reopen, the day is a coverage gap again.",
        operands: Operands(synopsis: "accept|reopen FEED DATE", noun: "operand", count: 3...3),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "gap accept credits 2025-11-18 --by Li --note 'nothing was sold'",
                purpose: "RECONCILE_CONFIG is set")
        ],
        endings: [Ending(code: .noInput, meaning: "the feed or the gap is unknown; nothing was changed")])

    static let check = Command(
        name: "check", summary: "check configuration, feeds, ledger and reports",
        description: "Checks the configuration, the feeds' files, permissions and disk space; the ledger's integrity, "
            + "conservation, chain of runs and verdicts; and the published reports.",
        options: Option.configuration + [.json, .online],
        examples: [Example(line: "check --config reconcile.json", purpose: "after an incident, or weekly")],
        endings: [
            Ending(code: .no, meaning: "something is wrong; every problem is printed"),
            Ending(code: .inputOutput, meaning: "the ledger cannot be read completely"),
        ])

    static let settings = Command(
        name: "settings", summary: "print the effective settings",
        description:
            "Prints a line NAME=VALUE for each setting that scripts around the program need: bundle_ids, language, "
            + "ledger, output and time_zone, with absolute paths.",
        options: Option.configuration,
        examples: [Example(line: "settings --config reconcile.json", purpose: "for a script")])

    static let backup = Command(
        name: "backup", summary: "copy the ledger, even during a run",
        description: "Writes a consistent copy of the ledger into a new file, and checks the copy.",
        operands: Operands(synopsis: "FILE", noun: "file", count: 1...1), options: Option.configuration,
        examples: [Example(line: "backup /backup/ledger-1118.sqlite --config reconcile.json", purpose: "a new file")],
        endings: [
            Ending(code: .noInput, meaning: "the ledger contains no night yet"),
            Ending(code: .cannotCreate, meaning: "the file exists"),
        ])

    static let restore = Command(
        name: "restore", summary: "restore a backup",
        description: "Checks a backup and puts it in place of the ledger, which is kept beside it. The name is "
            + "recorded.",
        operands: Operands(synopsis: "FILE", noun: "file", count: 1...1), options: [.by] + Option.configuration,
        examples: [
            Example(line: "restore /backup/ledger-1118.sqlite --by Li --config reconcile.json", purpose: "with name")
        ],
        endings: [
            Ending(code: .noInput, meaning: "the file does not exist"),
            Ending(code: .inputOutput, meaning: "the file is damaged or not a backup; nothing was changed"),
            Ending(code: .busy, meaning: "a run is using the ledger"),
        ])

    static let prune = Command(
        name: "prune", summary: "remove raw and personal data of old nights",
        description: "Removes device ids and the text of rejected rows that are older than that, from the ledger and "
            + "from published reports; never keys, owners or credits. It first proves that no verdict changes. "
            + "With --reports, removes the reports of nights that are older instead; the ledger can render them again.",
        options: [.olderThan, .reports, .dryRun] + Option.configuration,
        examples: [
            Example(line: "prune --reports --older-than 400 --config reconcile.json", purpose: "remove old reports"),
            Example(line: "prune --older-than 400 --config reconcile.json", purpose: "keep a little more than a year"),
        ],
        endings: [Ending(code: .busy, meaning: "a run is using the ledger")])
}

extension Command {
    static let generate = Command(
        name: "generate", summary: "write the manual page or shell completions",
        description:
            "Writes the manual page (man) or shell completions (bash, zsh, fish), made from the same table "
            + "as the parser.",
        operands: Operands(synopsis: "man|bash|zsh|fish", noun: "kind", count: 1...1),
        examples: [Example(line: "generate man", purpose: "for man(1)")], isHidden: true)
}
