internal import Base
internal import Reports

/// One thing that was checked, and what is wrong with it.
struct Finding: Equatable {
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
struct CheckFindings {
    private(set) var all: [Finding] = []

    var areGood: Bool { all.allSatisfy { $0.problem == nil } }

    mutating func note(_ what: String, _ problem: String? = nil) { all.append(Finding(what: what, problem: problem)) }

    mutating func add(_ finding: Finding?) {
        if let finding { all.append(finding) }
    }

    mutating func doubt(_ what: String, _ doubt: String) { all.append(Finding(what: what, doubt: doubt)) }

    /// Adds one line for each problem, or one that says that all is well.
    mutating func note(_ what: String, all problems: [String], remedy: String) {
        if problems.isEmpty { note(what) }
        for problem in problems.prefix(20) { note(what, problem + ". " + remedy) }
        if problems.count > 20 { note(what, "\(problems.count - 20) more problems like these. " + remedy) }
    }

    var json: JSON { .object(["ok": .bool(areGood), "checks": .list(all.map(\.json))]) }
}
