internal import Reports

/// One thing that was looked at, and what is wrong with it.
struct Finding: Equatable {
    var what: String
    /// What is wrong and what to do, a sentence or two; nil where nothing is.
    var problem: String?

    var line: String { (problem == nil ? "ok     " : "WRONG  ") + display(what + (problem.map { ": " + $0 } ?? "")) }
    var json: JSON { .object(["what": .text(what), "ok": .bool(problem == nil), "problem": JSON(problem)]) }
}

/// What was found so far, in the order of looking.
struct Findings {
    private(set) var all: [Finding] = []

    var areGood: Bool { all.allSatisfy { $0.problem == nil } }

    mutating func note(_ what: String, _ problem: String? = nil) { all.append(Finding(what: what, problem: problem)) }

    /// One line a problem, or one that all is well.
    mutating func note(_ what: String, all problems: [String], remedy: String) {
        if problems.isEmpty { note(what) }
        for problem in problems.prefix(20) { note(what, problem + ". " + remedy) }
        if problems.count > 20 { note(what, "\(problems.count - 20) more problems like these. " + remedy) }
    }

    var json: JSON { .object(["ok": .bool(areGood), "checks": .list(all.map(\.json))]) }
}
