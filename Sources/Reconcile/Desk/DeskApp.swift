internal import Foundation
internal import Reports

/// One app on the desk's page: its configuration, and what its ledger knows.
struct DeskApp {
    /// The name of the configuration's folder or, if two apps share it, the configuration's path. Nil if the page answers
    /// for one app only.
    let name: String?
    let configuration: Configuration

    /// The apps whose configurations the command line names: as operands, or the one of `--config`.
    static func named(by invocation: Invocation, _ context: CommandContext) throws(Failure) -> [DeskApp] {
        let paths = invocation.operands
        if paths.isEmpty { return [DeskApp(name: nil, configuration: try context.configuration(for: invocation))] }
        guard !invocation.isSet(.config) else {
            throw invocation.usage("desk takes either configurations or --config")
        }
        let folders = paths.map { path in
            absolute(path, in: context.folder).split(separator: "/").dropLast().last.map { String($0) } ?? path
        }
        var apps: [DeskApp] = []
        for (path, folder) in zip(paths, folders) {
            let name = folders.count { $0 == folder } == 1 ? folder : path
            let configuration = try Configuration.read(absolute(path, in: context.folder), shownAs: path)
            apps.append(DeskApp(name: paths.count == 1 ? nil : name, configuration: configuration))
        }
        return apps
    }

    /// The answers to these queries, which are on record before they are shown.
    func answers(_ queries: [String], user: String?, now: Instant) throws -> [LookupAnswer] {
        let inquiry = try Lookup.inquiry(configuration, now: now)
        let answers = try queries.map { try Lookup.answer($0, of: inquiry, configuration, now: now) }
        try record(answers, user: user, at: now)
        return isMasked(for: user) ? answers.map(\.masked) : answers
    }

    /// Adds a line for each answer to the record of look-ups on the desk's page, which has a file for each month.
    /// See docs/spec/interfaces.md#desk.
    ///
    /// - Throws: `Failure` if the file cannot be written.
    private func record(_ answers: [LookupAnswer], user: String?, at now: Instant) throws(Failure) {
        let lines = answers.map { answer in
            JSON.object([
                "at": .text(now.text), "user": JSON(user), "query": .text(answer.identifier),
                "found": JSON(answer.subjects.count + answer.subjectsMore),
                "verdicts": .list(answer.subjects.map { .text($0.facts.verdict.rawValue) }),
            ]).line
        }
        do {
            try DeskFile("audit-\(now.text.prefix(7)).jsonl", configuration).append(lines, isDurable: false)
        } catch {
            let message = "look-ups are recorded, and the record cannot be written: " + error.message
            throw Failure(error.code, message, remedy: error.remedy)
        }
    }

    /// Records that the user gave the goods of a purchase, or withdraws that, where the answer allows it at this moment.
    /// If another agent was faster, nothing is recorded, and the answer names that agent.
    func record(_ transaction: String, isWithdrawal: Bool, by user: String, now: Instant) throws {
        let inquiry = try Lookup.inquiry(configuration, now: now)
        let subject = try inquiry.answer(transaction).subjects.first { $0.facts.transactions.contains(transaction) }
        let isAllowed =
            switch subject?.safety {
            case .safe, .safeAfterTries: !isWithdrawal
            case .given(let handOut): isWithdrawal && handOut.by == user
            default: false
            }
        guard isAllowed else { return }
        let handOut = HandOut(transaction: Identifier(transaction), by: user, at: now)
        _ = try HandOuts(configuration).record(handOut, isWithdrawal: isWithdrawal)
    }

    func mayGive(_ user: String?) -> Bool { user.map(configuration.desk.givers.contains) ?? false }

    func isMasked(for user: String?) -> Bool { user.map(configuration.desk.masked.contains) ?? false }

    /// The app on the page, without answers.
    func part(for user: String?) -> DeskPage.App {
        var part = DeskPage.App(name: name, zone: configuration.policy.zone)
        part.night = contents(of: "summary.json").flatMap(NightGlance.init)
        part.linksReport = part.night != nil && !isMasked(for: user)
        part.mayGive = mayGive(user)
        return part
    }

    /// A file of the last night; nil if it cannot be read.
    func contents(of file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: configuration.output + "/latest/" + file).map { Array($0) }
    }
}
