import Console
import Domain
import Testing

@testable import Reconcile

/// A command line, in words separated by blanks (`''` is an empty word, `~` a blank), and the parser's result.
private typealias Line = (typed: String, result: String)

/// Canonical form of a result: command, options sorted by name, then ` | ` and the operands.
private func parse(_ typed: String) -> String {
    let words = typed.split(separator: " ").map { $0 == "''" ? "" : String($0).replacing("~", with: " ") }
    do {
        switch try Parser(commands: Command.all).parse(words) {
        case .help(let command): return "help " + (command?.name ?? "")
        case .version(let isJSON): return isJSON ? "version json" : "version"
        case .run(let invocation):
            let options = invocation.typed.keys.sorted().map { name in
                let values = invocation.typed[name]!.filter { !$0.isEmpty }
                return " --" + name + (values.isEmpty ? "" : "=" + values.joined(separator: ","))
            }
            let operands = invocation.operands.isEmpty ? "" : " | " + invocation.operands.joined(separator: " ")
            return invocation.command.name + options.joined() + operands
        }
    } catch {
        return error.code == .usage ? error.line : "code \(error.code)"
    }
}

private let good: [Line] = [
    ("nightly", "nightly"),
    ("nightly --config a.json", "nightly --config=a.json"),
    ("nightly --config=a.json", "nightly --config=a.json"),
    ("--config a.json nightly", "nightly --config=a.json"),
    ("--config=a=b nightly", "nightly --config=a=b"),
    ("nightly --config=-", "nightly --config=-"),
    ("nightly --config -", "nightly --config=-"),
    ("nightly --config=-x", "nightly --config=-x"),
    ("nightly --config=--dry-run", "nightly --config=--dry-run"),
    ("nightly --dry-run --preview p --config c", "nightly --config=c --dry-run --preview=p"),
    ("nightly --dry-run --dry-run", "nightly --dry-run"),
    ("--quiet nightly --dry-run", "nightly --dry-run --quiet"),
    ("nightly --verbose", "nightly --verbose"),
    ("nightly --log-format json", "nightly --log-format=json"),
    ("nightly --log-format=text", "nightly --log-format=text"),
    ("nightly --color never", "nightly --color=never"),
    ("--color=always nightly", "nightly --color=always"),
    ("nightly --as-of 2025-11-19T04:00:00Z", "nightly --as-of=2025-11-19T04:00:00Z"),
    ("nightly --date 2025-11-18 --exit-code", "nightly --date=2025-11-18 --exit-code"),
    ("nightly --ledger l --output o", "nightly --ledger=l --output=o"),
    ("monthly 2025-11", "monthly | 2025-11"),
    ("monthly --config c 2025-11 --fiscal --close", "monthly --close --config=c --fiscal | 2025-11"),
    ("monthly --apple-report a --apple-report=b 2025-11", "monthly --apple-report=a,b | 2025-11"),
    ("lookup 2000000123456789", "lookup | 2000000123456789"),
    ("lookup A B --json C", "lookup --json | A B C"),
    ("lookup --json -- --odd-id -x", "lookup --json | --odd-id -x"),
    ("lookup -- --help", "lookup | --help"),
    ("lookup -- --version", "lookup | --version"),
    ("lookup -- -- a", "lookup | -- a"),
    ("lookup - --mask", "lookup --mask | -"),
    ("lookup A --lang zh-Hans --html p.html", "lookup --html=p.html --lang=zh-Hans | A"),
    ("lookup A A", "lookup | A A"),
    ("lookup 掉单 é", "lookup | 掉单 é"),
    ("lookup nightly", "lookup | nightly"),
    ("lookup a=b", "lookup | a=b"),
    ("-- lookup x", "lookup | x"),
    ("demo", "demo"),
    ("demo dir --orders 10 --seed=3", "demo --orders=10 --seed=3 | dir"),
    ("init", "init"),
    ("init /srv/x", "init | /srv/x"),
    ("init --from a.csv b.csv", "init --from=a.csv,b.csv"),
    ("verify a b --root r1 --root r2 --json", "verify --json --root=r1,r2 | a b"),
    ("waive e1 --by Li --note paid~back", "waive --by=Li --note=paid back | e1"),
    ("waive e1 --by=Li --note=-5", "waive --by=Li --note=-5 | e1"),
    ("unwaive e1 --by Li --note x", "unwaive --by=Li --note=x | e1"),
    ("release k1 k2 --by Li --note x", "release --by=Li --note=x | k1 k2"),
    ("release --held --by Li --note x", "release --by=Li --held --note=x"),
    ("release --dead --by Li --note x", "release --by=Li --dead --note=x"),
    ("check --config c", "check --config=c"),
    ("backup b.sqlite --config c", "backup --config=c | b.sqlite"),
    ("restore b.sqlite --by Li", "restore --by=Li | b.sqlite"),
    ("prune --older-than 400", "prune --older-than=400"),
    ("help", "help "),
    ("help nightly", "help nightly"),
    ("-h", "help "),
    ("--help", "help "),
    ("nightly -h", "help nightly"),
    ("--help lookup", "help lookup"),
    ("lookup --bogus --help", "help lookup"),
    ("nightly --config --help", "help nightly"),
    ("bogus --help", "help "),
    ("--version", "version"),
    ("nightly --version", "version"),
]

private let nightlyHelp = "See 'reconcile nightly --help'."

private let bad: [Line] = [
    ("", "no command is given. See 'reconcile --help'."),
    ("''", "unknown command ''. See 'reconcile --help'."),
    ("--quiet", "no command is given. See 'reconcile --help'."),
    ("--", "no command is given. See 'reconcile --help'."),
    ("nigthly", "unknown command 'nigthly'. Did you mean 'nightly'? See 'reconcile --help'."),
    ("night", "unknown command 'night'. Did you mean 'nightly'? See 'reconcile --help'."),
    ("NIGHTLY", "unknown command 'NIGHTLY'. Did you mean 'nightly'? See 'reconcile --help'."),
    ("look-up x", "unknown command 'look-up'. Did you mean 'lookup'? See 'reconcile --help'."),
    ("inti", "unknown command 'inti'. Did you mean 'init'? See 'reconcile --help'."),
    ("unwave e", "unknown command 'unwave'. Did you mean 'unwaive'? See 'reconcile --help'."),
    ("frobnicate", "unknown command 'frobnicate'. See 'reconcile --help'."),
    ("help nigthly", "unknown command 'nigthly'. Did you mean 'nightly'? See 'reconcile --help'."),
    ("\u{1B}[31mred", "unknown command '\\u{1b}[31mred'. See 'reconcile --help'."),
    ("\u{202E}x", "unknown command '\\u{202e}x'. See 'reconcile --help'."),
    ("nightly --dryrun", "unknown option '--dryrun'. Did you mean '--dry-run'? \(nightlyHelp)"),
    ("nightly --dry_run", "unknown option '--dry_run'. Did you mean '--dry-run'? \(nightlyHelp)"),
    ("nightly --dry", "unknown option '--dry'. Did you mean '--dry-run'? \(nightlyHelp)"),
    ("nightly --Config x", "unknown option '--Config'. Did you mean '--config'? \(nightlyHelp)"),
    ("nightly --conf=x", "unknown option '--conf'. Did you mean '--config'? \(nightlyHelp)"),
    ("nightly --asof x", "unknown option '--asof'. Did you mean '--as-of'? \(nightlyHelp)"),
    ("nightly -config x", "unknown option '-config'. Did you mean '--config'? \(nightlyHelp)"),
    ("nightly --frobnicate", "unknown option '--frobnicate'. \(nightlyHelp)"),
    ("nightly ---", "unknown option '---'. \(nightlyHelp)"),
    ("--frobnicate nightly", "unknown option '--frobnicate'. See 'reconcile --help'."),
    (
        "lookup -5",
        "unknown option '-5' (a word that begins with '-' goes after '--'). See 'reconcile lookup --help'."
    ),
    ("nightly --config", "--config needs a value: --config FILE. \(nightlyHelp)"),
    ("nightly --config=", "--config needs a value: --config FILE. \(nightlyHelp)"),
    ("nightly --config ''", "--config needs a value: --config FILE. \(nightlyHelp)"),
    ("nightly --config --dry-run", "--config needs a value: --config FILE. \(nightlyHelp)"),
    ("nightly --config -- x", "--config needs a value: --config FILE. \(nightlyHelp)"),
    ("waive e --note -5", "--note needs a value: --note TEXT. See 'reconcile waive --help'."),
    ("nightly --dry-run=yes", "--dry-run takes no value, but 'yes' was given. \(nightlyHelp)"),
    ("nightly --quiet=", "--quiet takes no value, but '' was given. \(nightlyHelp)"),
    (
        "nightly --log-format jsn",
        "--log-format takes text or json, not 'jsn'. Did you mean 'json'? \(nightlyHelp)"
    ),
    ("nightly --log-format xml", "--log-format takes text or json, not 'xml'. \(nightlyHelp)"),
    ("nightly --color sometimes", "--color takes auto, always or never, not 'sometimes'. \(nightlyHelp)"),
    (
        "lookup a --lang zh",
        "--lang takes en or zh-Hans, not 'zh'. See 'reconcile lookup --help'."
    ),
    ("nightly --log-format", "--log-format needs a value: --log-format text|json. \(nightlyHelp)"),
    ("nightly --json", "--json is an option of lookup, find, why, verify or check, not of nightly. \(nightlyHelp)"),
    ("--json nightly", "--json is an option of lookup, find, why, verify or check, not of nightly. \(nightlyHelp)"),
    ("nightly --fiscal", "--fiscal is an option of monthly, not of nightly. \(nightlyHelp)"),
    ("demo --config c", "--config is an option of"),
    ("nightly --config a --config b", "--config is given twice. \(nightlyHelp)"),
    ("nightly --config a --config=a", "--config is given twice. \(nightlyHelp)"),
    ("nightly --color auto --color never", "--color is given twice. \(nightlyHelp)"),
    ("nightly --quiet --verbose", "--quiet and --verbose exclude each other. \(nightlyHelp)"),
    ("nightly tonight", "nightly does not take 'tonight'. \(nightlyHelp)"),
    ("nightly -", "nightly does not take '-'. \(nightlyHelp)"),
    ("monthly", "monthly needs 'YYYY-MM'. See 'reconcile monthly --help'."),
    ("monthly 2025-11 2025-12", "monthly does not take '2025-12'. See 'reconcile monthly --help'."),
    ("lookup", "lookup needs 'IDENTIFIER...'. See 'reconcile lookup --help'."),
    ("lookup --json", "lookup needs 'IDENTIFIER...'. See 'reconcile lookup --help'."),
    ("lookup a ''", "one identifier is empty. See 'reconcile lookup --help'."),
    ("init a b", "init does not take 'b'. See 'reconcile init --help'."),
    ("verify", "verify needs 'FILE...'. See 'reconcile verify --help'."),
    ("backup", "backup needs 'FILE'. See 'reconcile backup --help'."),
]

@Test(arguments: good.indices)
func aCommandLineMeansOneThing(_ index: Int) {
    #expect(parse(good[index].typed) == good[index].result)
}

@Test(arguments: bad.indices)
func aWrongCommandLineIsAnsweredWithOneLineAndARemedy(_ index: Int) {
    let answer = parse(bad[index].typed)
    #expect(answer.hasPrefix(bad[index].result))
    #expect(!answer.contains("\n"))
}

@Test func aVeryLongWordIsCutInTheAnswer() {
    #expect(parse(String(repeating: "x", count: 5000)).count < 200)
}

@Test func tenThousandArgumentsAreReadInTime() {
    let typed = "lookup " + Array(repeating: "x", count: 1000).joined(separator: " ")
    #expect(parse(typed).hasPrefix("lookup | x x"))
    #expect(parse(typed + " y").contains("does not take 'y'"))
}

/// Random words from the table, and similar ones, never trap: they parse or are a usage error.
@Test func anyWordsParseOrAreAUsageError() {
    let seed: UInt64 = 20_251_118
    var random = SplitMix64(seed: seed)
    let names = Command.all.map(\.name) + Command.all.flatMap(\.options).map(\.dashed)
    let words = names + ["--", "-", "", "=", "--=", "--config=", "-h", "x", "--\u{0}", "\u{301}", "--é=1"]
    for _ in 0..<3000 {
        let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in words.randomElement(using: &random)! }
        do {
            _ = try Parser(commands: Command.all).parse(line)
        } catch {
            #expect(error.code == .usage && !error.remedy.isEmpty, "seed \(seed): \(line)")
        }
    }
}
