internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Ledger
internal import Reports
internal import Settings
internal import Text
internal import Wire

/// What the stages of a night took and judged.
struct JudgedParts {
    var basis: ClusterBasis
    var findings: Findings
    /// Where the lake keeps tonight's evidence.
    var folder: String
}

extension Cluster {
    /// Publishes the night: from what was found or, if the ledger has it already, from the ledger.
    static func publish(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        var judged: JudgedParts?
        let plan: ClusterPlan
        if invocation.value(.basis) == nil {
            plan = try readPlan(invocation, context).content
            guard plan.isDone else {
                throw invocation.usage("publish needs --basis: the night is not in the ledger yet")
            }
        } else {
            let (basis, digest) = try readBasis(invocation, context)
            let found = try readFindings(digest, context)
            try basis.prove(found.proof, found.findings, keys: try invocation.keys)
            judged = JudgedParts(
                basis: basis, findings: found.findings, folder: try invocation.required(.evidence))
            plan = basis.plan
        }
        var nightly = try Nightly(plan.settings, plan.moment, context)
        nightly.isStaged = true
        nightly.judged = judged
        let report = try nightly.perform()
        nightly.printSummary(report)
        for gap in report.coverageGaps.prefix(20) { context.log.warning(gap.advice) }
        return report.exitCode(failsOnExceptions: false)
    }
}

extension Invocation {
    /// What the stage `tie` counted.
    fileprivate var keys: WireSum {
        get throws(Failure) {
            let numbers = try required(.keys).split(separator: ",").map { Int64($0) }
            guard numbers.count == 2, let count = numbers[0], let sum = numbers[1] else {
                throw usage("--keys takes the number of keys and their sum: 4000028,-81")
            }
            return WireSum(lines: Int(count), sum: sum)
        }
    }
}

extension ClusterBasis {
    /// Proves that every line of evidence, every entry and every key was judged exactly once, under the last basis.
    /// - Throws: `Failure` with `internalError`.
    fileprivate func prove(_ proof: PartProof, _ findings: Findings, keys: WireSum) throws(Failure) {
        func fail(_ what: String) -> Failure {
            Failure(
                .internalError, "the night is not proven: \(what)",
                remedy: "Nothing was published. Run the night again; if this recurs, please report this line.")
        }
        var expected: [String: WireSum] = [:]
        for sum in evidence where sum.lines > 0 {
            expected["\(sum.delivery)"] = sum.total
        }
        for delivery in Set(expected.keys).union(proof.evidence.keys).sorted() {
            let (taken, judged) = (expected[delivery], proof.evidence[delivery])
            if taken != judged {
                throw fail(
                    "of the file \(files[delivery]?.name ?? delivery), \(counted(taken?.lines ?? 0, "line was", "lines were")) taken and "
                        + "\(judged?.lines ?? 0) judged, or others")
            }
        }
        if proof.entries != entries {
            throw fail("\(entries.lines) exceptions are followed, and \(proof.entries.lines) were judged, or others")
        }
        if proof.keys != keys {
            throw fail(
                "there are \(keys.lines) keys, and the parts saw \(proof.keys.lines), or others: a bundle was cut")
        }
        if deskOrders.isEmpty, try !findings.deskOrders(window: policy.suggestionWindow).isEmpty {
            throw fail("the desk gave goods by orders of other cases, and the stage basis was not run again")
        }
    }
}

extension Nightly {
    /// The night that the stages judged.
    func night(of judged: JudgedParts, _ ledger: Ledger) throws -> Night {
        let basis = judged.basis
        let taken = Dictionary(uniqueKeysWithValues: basis.taken.map { ($0.number, $0) })
        var quiet = context.log
        quiet.silence()
        var delivered = try basis.plan.delivered(taken, ledger, log: quiet, threads: context.threads)
        delivered.handOuts = try HandOuts(configuration, context.log).standing(until: moment.asOf)
        let settings = configuration.nightSettings
        let plan = NightPlan(delivered, at: moment, settings, try ledger.history.head())
        let history = try ledger.history
        var night = try Night(
            judged.findings, delivered, plan, facts: basis.facts, history, threads: context.threads, timer: clock)
        let sums = basis.evidence.filter { basis.deliveries.contains($0.delivery) }
        night.run.evidence = try ClusterEvidence(folder: judged.folder, deliveries: sums).text
        return night
    }

    /// - Throws: `Failure` with `configuration` if the ledger is not of the kind that this night needs: one with
    ///   evidence, or one of nights in stages.
    func requireKind(of ledger: Ledger) throws {
        guard try !ledger.isVoid, try !ledger.isEmpty, try ledger.isBook != isStaged else { return }
        guard isStaged else {
            throw Ledger.noEvidence(
                configuration.ledger, remedy: "Run 'reconcile cluster' for it, or name another ledger.")
        }
        throw Failure(
            .configuration, "the ledger \(quoted(configuration.ledger)) holds evidence: nightly has filled it",
            remedy: "Give the nights on the cluster a ledger of their own: --ledger FILE.")
    }
}
