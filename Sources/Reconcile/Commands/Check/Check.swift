internal import Fetch
internal import Ledger

/// `reconcile check`: whether set-up, ledger and reports are sound. It prints one line for each check, which says what
/// to do if something is wrong.
struct Check {
    let configuration: Configuration
    let context: CommandContext
    var findings = CheckLines()

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        var check = Check(configuration: try context.configuration(for: invocation), context: context)
        var failure: (any Error)?
        do {
            if invocation.isSet(.online) { try check.examine("Apple") { try $0.askApple() } }
            try check.perform()
        } catch {
            // What was found before the failure is printed all the same.
            failure = error
            check.findings.note("ledger \(check.configuration.ledger)", Failure(error).line)
        }
        let findings = check.findings
        let text = invocation.isSet(.json) ? findings.json.page : findings.all.map { $0.line + "\n" }.joined()
        try context.output.write(text)
        try context.output.flush()
        if let failure { throw failure }
        return findings.areGood ? .done : .no
    }

    private mutating func perform() throws {
        findings.note("configuration \(configuration.file), time zone \(configuration.policy.zone.name)")
        try checkSetUp()
        let isLost = Publication.hasPublished(in: configuration.output)
        let loss = "\(Publication.lostLedger(configuration)). Mount its disk, correct its path, or restore a backup."
        guard exists(configuration.ledger) else {
            let what = "ledger \(configuration.ledger)" + (isLost ? "" : ": none yet; the first night creates it")
            return findings.note(what, isLost ? loss : nil)
        }
        guard let ledger = try Ledger.committed(at: configuration.ledger) else {
            return noteUncommitted(isLost ? loss : nil)
        }
        if isLost, try ledger.isEmpty { findings.note("ledger \(configuration.ledger)", loss) }
        try checkLedger(ledger)
    }

    /// Runs a part of the set-up's checks. Where it cannot go on, that is a finding about it, and the others go on.
    mutating func examine(_ what: String, _ part: (inout Check) throws -> Void) throws(Interrupted) {
        do { try part(&self) } catch {
            if let interrupted = error as? Interrupted { throw interrupted }
            findings.note(what, Failure(error).line)
        }
    }

    /// A first night is running, or ended before it was committed. Nothing is damaged, because nothing is there yet.
    private mutating func noteUncommitted(_ loss: String?) {
        let holder = RunLock.holder(of: configuration.ledger)
        let what = holder.map { "the first night is in progress: \($0)" } ?? "the next night starts over"
        findings.note("ledger \(configuration.ledger): it contains no night yet; \(what)", holder == nil ? loss : nil)
    }
}

/// Whether Apple accepts the configured keys: `check --online`.
extension Check {
    mutating func askApple() throws {
        guard configuration.apple != nil else {
            return findings.doubt(
                "Apple", "the configuration has no section 'apple', so no key was tried. apple.md says how to add one.")
        }
        do {
            let trials: [KeyTrial] = try FetchProcess().records(["online", "--config", configuration.file])
            for trial in trials { findings.note(trial.what, trial.problem) }
        } catch let error as FetchEnded {
            findings.note(
                "Apple's answer", "reconcile-fetch ended with \(error.code.rawValue). Its message above says why.")
        }
    }

    /// Names the notifications that `fetch` could not give to the night.
    mutating func checkUnsigned() {
        for (day, unsigned) in configuration.daysWithUnsigned(now: context.clock()) {
            findings.doubt(
                "notifications in \(unsigned)",
                "they came from Apple without a signed payload, and no night sees them. Remove \(day) to fetch the day "
                    + "again. If they come again, find out which purchases they are about, ask for those with "
                    + "reconcile ask, and remove the file.")
        }
    }
}

/// One thing that was checked, and what is wrong with it.
struct CheckLine: Equatable {
    var what: String
    /// What is wrong and what to do, in a sentence or two. Nil if nothing is wrong.
    var problem: String?
    /// What is suspicious and may still be right, in a sentence or two. Nil if nothing is.
    var doubt: String?

    var line: String {
        let mark = problem != nil ? "WRONG  " : doubt != nil ? "LOOK   " : "ok     "
        return mark + display(what + ((problem ?? doubt).map { ": " + $0 } ?? ""))
    }
    var json: JSON {
        .object([
            "what": .text(what), "ok": .bool(problem == nil), "problem": JSON(problem), "doubt": JSON(doubt),
        ])
    }
}

/// The results so far, in the order of the checks.
struct CheckLines {
    private(set) var all: [CheckLine] = []

    var areGood: Bool { all.allSatisfy { $0.problem == nil } }

    mutating func note(_ what: String, _ problem: String? = nil) { all.append(CheckLine(what: what, problem: problem)) }

    mutating func add(_ line: CheckLine?) {
        if let line { all.append(line) }
    }

    mutating func doubt(_ what: String, _ doubt: String) { all.append(CheckLine(what: what, doubt: doubt)) }

    /// Adds one line for each problem, or one that says that all is well.
    mutating func note(_ what: String, all problems: [String], remedy: String) {
        if problems.isEmpty { note(what) }
        for problem in problems.prefix(20) { note(what, problem + ". " + remedy) }
        if problems.count > 20 { note(what, "\(problems.count - 20) more problems like these. " + remedy) }
    }

    var json: JSON { .object(["ok": .bool(areGood), "checks": .list(all.map(\.json))]) }
}
