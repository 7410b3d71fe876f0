internal import Glibc
internal import Ledger
internal import Reports

/// `reconcile restore FILE --by NAME`: replaces the ledger by a backup that passes the checks. The previous ledger is
/// kept under another name.
struct Restore {
    let file: String
    let by: String
    let ledger: String
    let configuration: Configuration
    let now: Instant
    let clock: StageClock

    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let by = try Decision.said(.by, invocation)
        let configuration = try context.configuration(for: invocation)
        let file = absolute(invocation.operands[0], in: context.folder)
        guard isFile(file) else {
            throw Failure(
                .noInput, "the backup \(quoted(file)) does not exist", remedy: "Check the path; nothing was changed.")
        }
        let restore = Restore(
            file: file, by: by, ledger: configuration.ledger, configuration: configuration, now: context.clock(),
            clock: StageClock(log: context.log))
        let (last, aside, losses) = try restore.perform()
        let night = last.evidence == nil ? "'reconcile nightly'" : "the night in stages"
        context.announce(
            """
            \(display(restore.ledger)) is now the ledger as of the night of \(last.businessDate), restored by \(display(by)).
            \(aside.map { "The previous ledger is kept as \(display($0))." } ?? "No ledger was there before.")
            \(restore.warning(losses))Next: run 'reconcile check', then \(night), which reads the files delivered since then again.

            """)
        return .done
    }

    /// What the backup lacks or has too much.
    private struct Losses {
        /// The months that were closed since.
        var months: [String]
        /// What people decided since.
        var decisions: [String]
        /// The guard's findings on the backup's last night that were never released.
        var guarded: [GuardFinding]
    }

    /// - Returns: the backup's last night, the previous ledger's new name, and what differs from that ledger.
    private func perform() throws -> (last: RunRecord, aside: String?, losses: Losses) {
        let lock = try RunLock(of: ledger, now: now)
        defer { withExtendedLifetime(lock) {} }
        let temporary = ledger + ".restored"
        return try Ledger.making(temporary) {
            let last = try copyBackup(to: temporary)
            try requireSameApp(last)
            try record(in: temporary, last)
            try inherit(temporary)
            let losses = try losses(in: temporary, last)
            let aside = try setAside()
            guard rename(temporary, ledger) == 0 else {
                throw Failure.system(errno, cannot: "replace", ledger, otherwise: .cannotCreate)
            }
            try sync(folderOf(ledger))
            return (last, aside, losses)
        }
    }

    /// Copies the backup and checks the copy.
    /// - Throws: `Failure` with `inputOutput` if the file is not a backup, or is damaged.
    private func copyBackup(to path: String) throws -> RunRecord {
        do {
            return try Backup.write(
                Ledger.reading(path: file, upgradableBy: .all), to: path, of: file, clock)
        } catch  where Failure.leavesNothing(error) {
            throw Failure(
                .inputOutput, "the disk has no room for a copy of \(quoted(file))",
                remedy: "Free some space on the disk of \(quoted(ledger)) and run again. Nothing was changed.")
        } catch  where Failure(error).code == .inputOutput {
            let reason = Failure(error).message.replacing("the ledger", with: "the file")
            throw Failure(
                .inputOutput, "\(quoted(file)) is not a backup that can be restored: \(reason)",
                remedy: "Name another backup. Nothing was changed.")
        }
    }

    /// - Throws: `Failure` with `configuration` if the backup's nights were those of other apps.
    private func requireSameApp(_ last: RunRecord) throws(Failure) {
        let (its, ours) = (last.bundles, Set(configuration.policy.bundles.map(\.text)))
        guard !its.isEmpty, its.isDisjoint(with: ours) else { return }
        let (theirs, here) = (its.ordered().joined(separator: ", "), ours.ordered().joined(separator: ", "))
        throw Failure(
            .configuration, "\(quoted(file)) is a backup of \(theirs), and the configuration is of \(here)",
            remedy: "Name a backup of this app, or the other app's configuration with --config. Nothing was changed.")
    }

    private func losses(in copy: String, _ last: RunRecord) throws -> Losses {
        let (copy, before) = (try Ledger.reading(path: copy), try? Ledger.reading(path: ledger))
        let kept = Set(try copy.standingDecisions())
        return Losses(
            months: try lostMonths(in: copy, before),
            decisions: ((try? before?.standingDecisions()) ?? []).filter { !kept.contains($0) },
            guarded: try copy.guardFindings(of: last))
    }

    /// The months that were closed since the backup: the previous ledger, or the output folder, has their seals.
    private func lostMonths(in copy: Ledger, _ before: Ledger?) throws -> [String] {
        let kept = try copy.monthSeals()
        let before = (try? before?.monthSeals()) ?? []
        let gone = before.filter { seal in !kept.contains { $0.digest == seal.digest } }.map(\.period)
        let published = PublishedMonth.unknown(to: kept, in: configuration.output).map(\.period)
        return Set(gone + published).ordered()
    }

    private func warning(_ losses: Losses) -> String {
        let decisions = folded(losses.decisions).map { "  reconcile \(display($0))\n" }
        return monthsWarning(losses.months)
            + (Texts.english.advice(losses.guarded).map {
                "Its last night was held: \($0).\nThe rows of that night are in this ledger. To take them back, restore the "
                    + "backup from before that night.\n"
            } ?? "")
            + (decisions.isEmpty
                ? ""
                : "Decided after this backup was made, and not in this ledger:\n\(decisions.joined())Stop the job that reads the "
                    + "retry manifest, or what was waived goes out. Run the night, repeat these, and run the night again.\n")
    }

    /// One line for the entries that a person released with the same note, in the place of the first.
    private func folded(_ decisions: [String]) -> [String] {
        func reason(_ decision: String) -> Substring? {
            decision.hasPrefix("release R") ? decision[decision.firstIndex(of: "(")!...] : nil
        }
        let releases = Dictionary(grouping: decisions) { reason($0) }
        return decisions.compactMap { decision in
            guard let reason = reason(decision), let all = releases[reason], all.count > 1 else { return decision }
            return decision == all[0]
                ? decision.dropLast(reason.count) + "and \(counted(all.count - 1, "more key", "more keys")) \(reason)"
                : nil
        }
    }

    private func monthsWarning(_ lost: [String]) -> String {
        if lost.isEmpty { return "" }
        return "\(lost.joined(separator: ", ")) \(lost.count == 1 ? "was" : "were") closed after this backup was made, "
            + "and the seal is not in this ledger.\nThe signed files stay in \(display(configuration.output)). To close "
            + "\(lost.count == 1 ? "it" : "them") again, see operations.md, 'A month was closed after the backup'.\n"
    }

    /// Records in the copy who restored it, before it becomes the ledger, and the hand-outs of the ledger that it replaces:
    /// they stand even if the desk's files lack them.
    private func record(in path: String, _ last: RunRecord) throws {
        let copy = try Ledger.copy(path: path)
        let handOuts = (try? Ledger.reading(path: ledger).handOuts()) ?? []
        try copy.begin()
        try copy.addHandOuts(handOuts, run: last.id)
        try copy.writeMaintenance(.restored, run: last.id, by: by, at: now, note: "from \(file)")
        try copy.commit()
        try sync(path)
    }

    /// Gives the copy the owner and the permissions of the ledger that it replaces.
    private func inherit(_ path: String) throws(Failure) {
        var status = stat()
        guard stat(ledger, &status) == 0 else { return }
        guard chown(path, status.st_uid, status.st_gid) == 0, chmod(path, status.st_mode & 0o660) == 0 else {
            throw .system(errno, cannot: "change the owner of", path, otherwise: .cannotCreate)
        }
    }

    /// Keeps the previous ledger under a second name. A single rename then gives the first name to the copy, so that at
    /// every instant there is a ledger, and a complete one.
    ///
    /// Logs are removed first, even those of a ledger that no longer exists, because SQLite would apply them to the new
    /// file. What they contain is moved into the ledger's file before. If the ledger is damaged, its log is kept with
    /// it.
    /// - Returns: the second name. Nil without a ledger.
    private func setAside() throws -> String? {
        let stamp = now.text.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
        let aside = ledger + ".before-" + stamp
        let isThere = exists(ledger)
        let isWhole = isThere ? try isBroughtTogether() : false
        if isThere, link(ledger, aside) != 0 {
            throw Failure.system(errno, cannot: "create", aside, otherwise: .cannotCreate)
        }
        for suffix in ["-wal", "-journal"] where !isWhole && exists(ledger + suffix) {
            guard link(ledger + suffix, aside + suffix) == 0 else {
                throw Failure.system(errno, cannot: "create", aside + suffix, otherwise: .cannotCreate)
            }
        }
        try sync(folderOf(ledger))
        for suffix in ["-wal", "-shm", "-journal"] { unlink(ledger + suffix) }
        return isThere ? aside : nil
    }

    /// Moves the contents of the ledger's log into its file. False if the ledger is damaged.
    /// - Throws: `Failure` with `busy` if a reader still needs the log.
    private func isBroughtTogether() throws(Failure) -> Bool {
        let isWhole: Bool
        do {
            isWhole = try Ledger(path: ledger).checkpoint(waiting: 5000)
        } catch {
            guard Failure(error).code == .busy else { return false }
            isWhole = false
        }
        if isWhole { return true }
        throw Failure(
            .busy, "another program has the ledger open, and its last nights are not in the ledger's file yet",
            remedy: "Nothing was changed. End look-ups, backups and other programs that have it open, and run again.")
    }
}
