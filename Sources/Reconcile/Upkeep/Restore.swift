internal import Domain
internal import Glibc
internal import Ledger
internal import Reports

/// `reconcile restore FILE --by NAME`: a backup that checks out takes the ledger's place; what was there is kept aside.
struct Restore {
    let file: String
    let by: String
    let ledger: String
    let configuration: Configuration
    let now: Instant
    let clock: StageClock

    static func run(_ invocation: Invocation, _ surroundings: Surroundings) throws -> ExitCode {
        let by = try Decision.said(.by, invocation)
        let configuration = try Configuration.load(for: invocation, in: surroundings)
        let file = absolute(invocation.operands[0], in: surroundings.folder)
        guard exists(file) else {
            throw Failure(
                .noInput, "there is no backup \(quoted(file))", remedy: "Check the path; nothing was changed.")
        }
        let restore = Restore(
            file: file, by: by, ledger: configuration.ledger, configuration: configuration, now: surroundings.clock(),
            clock: StageClock(log: surroundings.log))
        let (last, aside) = try restore.perform()
        surroundings.announce(
            """
            \(display(restore.ledger)) is the ledger of the night of \(last.businessDate) again, restored by \(display(by)).
            \(aside.map { "The one before is kept as \(display($0))." } ?? "There was none before.")
            Next: run 'reconcile check', then 'reconcile nightly': files delivered since are read again.

            """)
        return .done
    }

    private func perform() throws -> (last: RunRecord, aside: String?) {
        let lock = try RunLock(besides: ledger, now: now)
        defer { withExtendedLifetime(lock) {} }
        let temporary = ledger + ".restored"
        removeFiles(temporary)
        try createFile(temporary)
        do {
            let last = try Backup.write(Ledger.reading(path: file), to: temporary, of: file, clock)
            try record(in: temporary, last)
            try inherit(temporary)
            let aside = exists(ledger) ? try setAside() : nil
            guard rename(temporary, ledger) == 0 else {
                throw Failure.system(errno, cannot: "replace", ledger, otherwise: .cannotCreate)
            }
            try sync(folderOf(ledger))
            return (last, aside)
        } catch {
            removeFiles(temporary)
            throw error
        }
    }

    private func removeFiles(_ path: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Puts who restored it into the copy, before it is anybody's ledger.
    private func record(in path: String, _ last: RunRecord) throws {
        let copy = try Ledger.copy(path: path)
        try copy.begin()
        try copy.writeUpkeep(.restored, run: last.id, by: by, at: now, note: "from \(file)")
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

    /// A second name for the ledger's file, which then loses its first by one rename: at every instant there is a ledger.
    ///
    /// Its write-ahead log must go first: SQLite would play it into the file that comes after. What a damaged ledger's log
    /// holds is kept with it.
    private func setAside() throws -> String {
        let stamp = now.text.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
        let aside = ledger + ".before-" + stamp
        let isWhole = (try? Ledger(path: ledger).checkpoint()) != nil
        guard link(ledger, aside) == 0 else {
            throw Failure.system(errno, cannot: "create", aside, otherwise: .cannotCreate)
        }
        if !isWhole { _ = link(ledger + "-wal", aside + "-wal") }
        for suffix in ["-wal", "-shm"] { unlink(ledger + suffix) }
        return aside
    }
}
