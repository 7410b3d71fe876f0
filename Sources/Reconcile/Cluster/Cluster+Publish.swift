extension Cluster {
    /// Publishes the night: from what was found or, if the ledger has it already, from the ledger.
    static func publish(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        var judge = StagedJudge()
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
            plan = basis.plan
            judge.plan = plan
            judge.parts = (basis, found.findings, try invocation.required(.evidence))
        }
        var nightly = try Nightly(plan.settings, at: plan.moment, context)
        nightly.judge = judge
        let report = try nightly.perform()
        nightly.printSummary(report)
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
        for delivery in Set(expected.keys).union(proof.evidence.keys).ordered() {
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
        if let other = proof.ownerLinesRead.first(where: { $0 != proof.ownerLines }) {
            throw fail(
                "the owners of tokens depend on \(counted(proof.ownerLines.lines, "line", "lines")), and the stage owners "
                    + "read \(other.lines), or others")
        }
        if deskOrders.isEmpty, try !findings.deskOrders(window: policy.suggestionWindow).isEmpty {
            throw fail("the desk gave goods by orders of other cases, and the stage basis was not run again")
        }
    }
}
