internal import Discovery
internal import Foundation
internal import Glibc

/// `reconcile init [DIRECTORY]`: a commented configuration and the folders it names. With `--from`, one for files that are there.
enum Initialize {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        if invocation.isSet(.from) {
            return try propose(from: invocation.values(.from), invocation.value(.config), context)
        }
        guard !invocation.isSet(.config) else {
            throw invocation.usage("--config is used with --from; name the directory instead")
        }
        let named = invocation.operands.first ?? "."
        let folder = absolute(named, in: context.folder)
        let file = absolute("reconcile.json", in: folder)
        if invocation.isSet(.systemd) {
            context.announce(try SystemdDropIns(Configuration.read(file, shownAs: file), now: context.clock()).script)
            return .done
        }
        try makeFolder(folder)
        try create(file, holding: sampleConfiguration)
        do {
            for name in ["inbox", "out"] { try makeFolder(absolute(name, in: folder)) }
        } catch {
            unlink(file)
            throw error
        }
        context.announce(
            """
            Written: \(display(file))

            Next:
              1. Open it and put in the app's bundle id, the time zone and your feeds.
              2. Deliver the backend's files into \(display(absolute("inbox", in: folder))).
              3. Run: reconcile nightly --config \(display(file)) --dry-run

            """)
        return .done
    }

    /// Writes what the files say into a configuration.
    private static func propose(from files: [String], _ named: String?, _ context: CommandContext) throws -> ExitCode {
        let file = absolute(named ?? "reconcile.json", in: context.folder)
        let paths = files.map { absolute($0, in: context.folder) }
        for (path, name) in zip(paths, files) where !exists(path) {
            throw Failure(.noInput, "\(quoted(name)) does not exist", remedy: "Name files that the shop exported.")
        }
        // Checked first: reading takes longer.
        guard !exists(file) else { throw existing(file) }
        var status = stat()
        let own = paths.filter {
            stat($0, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && !$0.hasSuffix(".totals")
        }
        let zone =
            context.variables["TZ"] ?? (try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime"))
        let name = zone.flatMap { $0.split(separator: "zoneinfo/").last }.flatMap { Zone(String($0)) }
        let proposal = try Proposal(files: Set(own).ordered(), folder: folderOf(file), machineZone: name)
        try create(file, holding: proposal.text)
        let next =
            proposal.open == 0
            ? "Next: reconcile check --config \(display(file))"
            : """
            \(counted(proposal.open, "value is", "values are")) marked \(Feed.undecided) and must be decided: grep -n \(Feed.undecided) \(display(file))
            Then: reconcile check --config \(display(file))
            """
        context.announce(
            "Written: \(display(file)), \(counted(proposal.feeds, "feed", "feeds")) from \(counted(own.count, "file", "files"))\n\n\(next)\n"
        )
        return .done
    }

    private static func existing(_ path: String) -> Failure {
        Failure(
            .cannotCreate, "\(quoted(path)) exists already",
            remedy: "Edit it, or remove or rename it and run init again.")
    }

    /// Creates the folder and any missing ones above it. An existing folder is left as it is.
    static func makeFolder(_ path: String) throws(Failure) {
        let ends = path.indices.filter { path[$0] == "/" && $0 > path.startIndex } + [path.endIndex]
        for end in ends where mkdir(String(path[..<end]), 0o700) != 0 && errno != EEXIST {
            throw .system(errno, cannot: "create", path, otherwise: .cannotCreate)
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(
                .cannotCreate, "\(quoted(path)) exists and is not a folder", remedy: "Choose another directory.")
        }
    }

    /// Writes a new file, or none at all.
    static func create(_ path: String, holding text: String) throws(Failure) {
        if exists(path) { throw existing(path) }
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, to: "create")
        do {
            try file.write(Array(text.utf8), isDurable: true)
        } catch {
            unlink(path)
            throw error
        }
    }
}
