/// The table of commands. INTERFACES §2 defines names, operands, options and exit codes.
extension Command {
    static let all = [
        nightly, monthly, lookup, demo, initialize, verify, waive, unwaive, release, check, backup, restore, prune,
    ]

    static let nightly = Command(
        name: "nightly", summary: "reconcile a night and publish its reports",
        description: "Reads every delivered file not imported before, dated up to the business date, gives every "
            + "subject its verdict and publishes the reports, wholly or not at all.",
        options: Option.configuration + [.asOf, .date, .dryRun, .preview, .newLedger, .exitCode],
        examples: [
            Example(line: "nightly --config reconcile.json", purpose: "the night that ended; for cron"),
            Example(line: "nightly --config reconcile.json --date 2025-11-18", purpose: "that business date"),
            Example(
                line: "nightly --config reconcile.json --dry-run --preview /tmp/look", purpose: "look, keep nothing"),
        ],
        endings: [
            Ending(code: .no, meaning: "with --exit-code: exceptions are open"),
            Ending(code: .look, meaning: "published, but retry entries are held, or a feed is missing, refused or cut"),
            Ending(code: .inputRefused, meaning: "a required feed's file was refused; nothing was changed"),
            Ending(code: .configuration, meaning: "among others: reports are published, and their ledger is not there"),
        ])

    static let monthly = Command(
        name: "monthly", summary: "tie a month out and compare it with Apple's report",
        description: "Writes the month's workbook: money tie-out, exceptions brought and carried forward, cut-off, "
            + "and the bridge to Apple's financial reports. Until --close it is provisional; afterwards what later "
            + "nights change in it stands in the later months.",
        operands: Operands(synopsis: "YYYY-MM", noun: "month", count: 1...1),
        options: Option.configuration + [.appleReport, .fiscal, .asOf, .close],
        examples: [
            Example(line: "monthly 2025-11 --config reconcile.json", purpose: "November so far"),
            Example(
                line: "monthly 2025-11 --apple-report fd.txt --close",
                purpose: "with Apple's report, for good; RECONCILE_CONFIG is set"),
        ],
        endings: [
            Ending(code: .look, meaning: "published, but incomplete: a feed of the month is missing or refused"),
            Ending(code: .inputRefused, meaning: "a report of Apple's cannot be used; nothing was changed"),
            Ending(code: .noInput, meaning: "no night was run yet"),
            Ending(code: .cannotCreate, meaning: "the month is closed by the other calendar"),
        ])

    static let lookup = Command(
        name: "lookup", summary: "answer a customer: what happened to this purchase",
        description: "Takes any identifier (transaction, order, account, credit, token, exception) and tells the "
            + "verdict, whether it is safe to compensate by hand, and the timeline of all evidence.",
        operands: Operands(synopsis: "IDENTIFIER...", noun: "identifier", count: 1...1000),
        options: Option.configuration + [.json, .html, .lang, .mask],
        examples: [
            Example(line: "lookup 2000000123456789 --config reconcile.json", purpose: "by transaction"),
            Example(
                line: "lookup ORD1000000042 --lang zh-Hans --config reconcile.json", purpose: "an order, in Chinese"),
        ],
        endings: [Ending(code: .no, meaning: "nothing is known by one of the identifiers")])

    static let demo = Command(
        name: "demo", summary: "make a sample night, reconcile it, show where the reports are",
        description: "Writes a realistic sample night with its configuration into a new directory and reconciles it.",
        operands: Operands(synopsis: "[DIRECTORY]", noun: "directory", count: 0...1),
        options: [.orders, .seed],
        examples: [
            Example(line: "demo", purpose: "into ./demo-night"),
            Example(line: "demo /tmp/night --orders 100000 --seed 7", purpose: "a larger one, elsewhere"),
        ],
        endings: [Ending(code: .cannotCreate, meaning: "the directory holds something already")])

    static let initialize = Command(
        name: "init", summary: "write a commented configuration and the folders",
        description: "Starts a new set-up: reconcile.json with every setting explained, inbox/ for the feeds, out/ "
            + "for the reports. Nothing that exists is overwritten.",
        operands: Operands(synopsis: "[DIRECTORY]", noun: "directory", count: 0...1),
        examples: [
            Example(line: "init", purpose: "in this folder"),
            Example(line: "init /srv/reconcile", purpose: "there, made if it is not"),
        ],
        endings: [Ending(code: .cannotCreate, meaning: "there is a configuration already")])

    static let verify = Command(
        name: "verify", summary: "say what Apple's signature proves about a file",
        description: "Tells of a JWS, notification or receipt what it is, whether its signature holds and under which "
            + "root, and the transactions inside.",
        operands: Operands(synopsis: "FILE...", noun: "file", count: 1...10_000),
        options: [.root, .json],
        examples: [
            Example(line: "verify receipt.b64", purpose: "one receipt"),
            Example(line: "verify transactions.jsonl --json", purpose: "every line of a file"),
        ],
        endings: [Ending(code: .no, meaning: "not everything is verified")])
}

extension Command {
    static let waive = Command(
        name: "waive", summary: "put on record that an exception stands as it is",
        description: "Takes an exception off the open list until its facts change. The name and the reason are kept.",
        operands: Operands(synopsis: "EXCEPTION-ID", noun: "exception id", count: 1...1),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "waive E3f9c2a7be01d4c55 --by Li --note 'paid back by bank'",
                purpose: "with RECONCILE_CONFIG set; so in all commands")
        ],
        endings: [Ending(code: .noInput, meaning: "there is no such exception")])

    static let unwaive = Command(
        name: "unwaive", summary: "take a waiver back",
        description: "Opens a waived exception again. The name and the reason are kept.",
        operands: Operands(synopsis: "EXCEPTION-ID", noun: "exception id", count: 1...1),
        options: [.by, .note] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "unwaive E3f9c2a7be01d4c55 --by Li --note 'the bank returned it'",
                purpose: "by name, with a reason")
        ],
        endings: [Ending(code: .noInput, meaning: "there is no such exception")])

    static let release = Command(
        name: "release", summary: "free held or dead retry entries",
        description: "Lets retry entries out again with the next night: by key, all that the circuit breaker holds, or "
            + "all on the dead-letter list.",
        operands: Operands(synopsis: "[KEY...]", noun: "key", count: 0...10_000),
        options: [.held, .dead, .by, .note] + Option.configuration + [.asOf],
        examples: [
            Example(
                line: "release --held --by Li --note 'checked' --config reconcile.json", purpose: "all that are held")
        ],
        endings: [Ending(code: .noInput, meaning: "there is no such entry")])

    static let check = Command(
        name: "check", summary: "check configuration, feeds, ledger and reports",
        description: "Checks the configuration, the feeds' files, permissions and disk space; the ledger's integrity, "
            + "conservation, chain of runs and verdicts; and the published reports.",
        options: Option.configuration + [.json],
        examples: [Example(line: "check --config reconcile.json", purpose: "after an accident, or weekly")],
        endings: [
            Ending(code: .no, meaning: "something is wrong; every finding is printed"),
            Ending(code: .inputOutput, meaning: "the ledger cannot be read to the end"),
        ])

    static let backup = Command(
        name: "backup", summary: "copy the ledger, even while a run is going on",
        description: "Writes a consistent copy of the ledger into a new file, and checks the copy.",
        operands: Operands(synopsis: "FILE", noun: "file", count: 1...1), options: Option.configuration,
        examples: [Example(line: "backup /backup/ledger-1118.sqlite --config reconcile.json", purpose: "a new file")],
        endings: [
            Ending(code: .noInput, meaning: "no night was run yet"),
            Ending(code: .cannotCreate, meaning: "the file exists"),
        ])

    static let restore = Command(
        name: "restore", summary: "put a backup back, on the record",
        description: "Checks a backup and puts it in the ledger's place; what was there is kept beside it. Who did so "
            + "is recorded.",
        operands: Operands(synopsis: "FILE", noun: "file", count: 1...1), options: [.by] + Option.configuration,
        examples: [
            Example(line: "restore /backup/ledger-1118.sqlite --by Li --config reconcile.json", purpose: "by name")
        ],
        endings: [
            Ending(code: .noInput, meaning: "there is no such file"),
            Ending(code: .inputOutput, meaning: "the backup is damaged, or is none; nothing was changed"),
            Ending(code: .busy, meaning: "a run holds the ledger"),
        ])

    static let prune = Command(
        name: "prune", summary: "forget raw and personal data of old nights",
        description: "Forgets device ids and rejected rows as read that are older than so many days, in the ledger and "
            + "in published reports; never keys, owners or credits. No verdict changes, which is proven first.",
        options: [.olderThan, .dryRun] + Option.configuration,
        examples: [Example(line: "prune --older-than 400 --config reconcile.json", purpose: "keep a bit over a year")],
        endings: [Ending(code: .busy, meaning: "a run holds the ledger")])
}

extension Command {
    static let generate = Command(
        name: "generate", summary: "write the manual page or a shell's completions",
        description:
            "Writes the manual page (man) or the completions of a shell (bash, zsh, fish), made from the table "
            + "that the parser reads.",
        operands: Operands(synopsis: "man|bash|zsh|fish", noun: "kind", count: 1...1),
        examples: [Example(line: "generate man", purpose: "for man(1)")], isHidden: true)
}
