internal import Ledger
internal import Reports

/// What happens to a month after its closing: a second person's approval, and whether its files are still the signed ones.
extension Monthly {
    /// `monthly --approve`: records that another user approved the month as it was sealed.
    func approve(_ invocation: Invocation) throws -> ExitCode {
        let name = request.period.name
        let note = invocation.isSet(.note) ? try Decision.said(.note, invocation) : ""
        let decision = try Decision(invocation, context, note: note)
        let user = context.user(of: configuration.ledger)
        let said = try decision.record { ledger, run in
            guard let seal = try ledger.monthSeals().first(where: { $0.period == name }) else {
                throw Failure(.usage, texts.closing(.notClosed, name), remedy: texts.closing(.closeFirst, name))
            }
            let (report, text) = try ledger.report(of: seal)
            guard SHA256.digest(of: text).hex == seal.digest else {
                throw LedgerError.damaged("the closed month \(name) was changed after it was closed")
            }
            let closing = report.closing
            // A login and a name given with --by may be the same person's, either way round.
            let closers = [closing?.user, closing?.by].map { $0?.lowercased() }
            guard ![user, decision.by].contains(where: { closers.contains($0.lowercased()) }) else {
                throw Failure(
                    .usage, texts.closing(.samePerson, closing?.by ?? "", closing?.user ?? "", name, user),
                    remedy: texts.closing(.otherPerson))
            }
            if let problem = signatureProblem(seal) {
                throw Failure(.inputOutput, problem, remedy: texts.closing(.notApproved, name))
            }
            if let earlier = try ledger.monthApprovals().first(where: { $0.digest == seal.digest }) {
                return
                    "approved by \(earlier.by) (user \(earlier.user)) on \(earlier.at.text) already; nothing was changed"
            }
            try ledger.write(
                MonthApproval(period: name, digest: seal.digest, user: user, by: decision.by, at: decision.at),
                note: note,
                run: run)
            let named = closing?.approver.flatMap { $0.lowercased() == decision.by.lowercased() ? nil : $0 }
            let remark = named.map { "; the closing named \($0)" } ?? ""
            return "approved by \(decision.by) (user \(user)), seal \(seal.digest)\(remark)"
        }
        context.announce("\(name): \(said)\n")
        return .done
    }

    /// Who approved a closed month, and one digest of all closed months, to be kept outside. Empty for an open month.
    func closingText(of report: MonthReport) throws -> String {
        guard let closing = report.closing else { return "" }
        let ledger = try Ledger.reading(path: configuration.ledger)
        let approval = try ledger.monthApprovals().first { $0.digest == closing.seal }
        let seals = try ledger.monthSeals()
        let later = try seals.filter { $0.period != report.period && $0.isFiscal == report.isFiscal }.map {
            try ledger.report(of: $0).report
        }
        return closedText(report, approval: approval, seals: seals, later: later, texts: texts)
    }

    /// Whether the published files of a closed month are the signed ones. A warning says what differs. Another output folder,
    /// such as a fresh one, need not have them.
    func isAsSigned(_ report: MonthReport) throws -> Bool {
        let seals = try Ledger.reading(path: configuration.ledger).monthSeals()
        guard let seal = seals.first(where: { $0.period == report.period && $0.isFiscal == report.isFiscal }) else {
            return true
        }
        let problem = exists(configuration.output + "/" + seal.period) ? signatureProblem(seal) : nil
        if let problem { context.log.warning(texts.closing(.removeSigned, problem, seal.period)) }
        return problem == nil
    }

    /// What differs in the published files from those that were signed. Nil if nothing does.
    private func signatureProblem(_ seal: MonthSeal) -> String? {
        let path = configuration.output + "/" + seal.period
        return publishedProblems(path, digest: seal.folderDigest, texts).first.map {
            texts.closing(.notSigned, quoted(path), $0)
        }
    }
}
