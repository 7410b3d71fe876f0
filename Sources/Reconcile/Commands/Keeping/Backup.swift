internal import Glibc
internal import Ledger

/// `reconcile backup FILE`: copies the ledger as the last night left it into a file of its own. The copy is checked
/// before it gets its name.
enum Backup {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        let path = absolute(invocation.operands[0], in: context.folder)
        guard exists(configuration.ledger) else { throw Ledger.noNight(configuration.ledger) }
        let temporary = path + ".new"
        // An interrupted backup may have left it, even beside a finished copy.
        unlink(temporary)
        guard !exists(path) else {
            throw Failure(
                .cannotCreate, "\(quoted(path)) exists already",
                remedy: "Name a new file; existing files are never replaced.")
        }
        try Ledger.making(temporary) {
            let last = try write(
                Ledger.reading(path: configuration.ledger), to: temporary, of: configuration.ledger,
                StageClock(log: context.log))
            try publish(temporary, as: path)
            context.announce(
                "\(display(path)) contains the ledger as of the night of \(last.businessDate). The copy was checked.\n")
        }
        return .done
    }

    /// Copies `ledger` into the empty file `path`, and checks the copy. The copy of an older ledger is brought to this
    /// program's version.
    @discardableResult
    static func write(_ ledger: Ledger, to path: String, of name: String, _ clock: StageClock) throws -> RunRecord {
        try clock.time("copy") { work in
            try ledger.backUp(to: path, work: work) { try Interruption.process.check() }
        }
        let copy = try Ledger.copy(path: path, upgradableBy: .all)
        if try copy.isOutdated {
            try clock.time("upgrade") {
                try copy.checkOutdated()
                try copy.begin()
                try copy.upgrade { try Interruption.process.check() }
                try copy.commit()
            }
        }
        guard try !copy.isEmpty, let last = try copy.lastRun() else { throw Ledger.noNight(name) }
        if let problem = try clock.time("prove", { try copy.problems() }).first { throw LedgerError.damaged(problem) }
        try sync(path)
        return last
    }

    /// Gives the file its name, unless another file has that name by now.
    private static func publish(_ temporary: String, as path: String) throws(Failure) {
        if link(temporary, path) == 0 {
            unlink(temporary)
        } else {
            // The file system has no hard links.
            guard errno == EPERM || errno == ENOTSUP, !exists(path), rename(temporary, path) == 0 else {
                throw .system(errno, cannot: "create", path, otherwise: .cannotCreate)
            }
        }
        try sync(folderOf(path))
    }
}
