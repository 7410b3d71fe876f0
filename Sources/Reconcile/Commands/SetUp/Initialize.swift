internal import Glibc
internal import Reports

/// `reconcile init [DIRECTORY]`: a commented configuration and the folders it names.
enum Initialize {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws(Failure) -> ExitCode {
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
        if exists(path) {
            throw Failure(
                .cannotCreate, "\(quoted(path)) exists already", remedy: "Edit it, or choose another directory.")
        }
        let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL, to: "create")
        do {
            try file.write(Array(text.utf8), isDurable: true)
        } catch {
            unlink(path)
            throw error
        }
    }
}
