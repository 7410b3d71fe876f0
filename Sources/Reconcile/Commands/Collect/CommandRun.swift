internal import Fetch
internal import Glibc
internal import Intake

/// One run of a feed's command: its output becomes a file, completely or not at all. See docs/spec/interfaces.md#collect.
struct CommandRun {
    let command: FeedCommand
    /// The program and its arguments, filled in.
    let words: [String]
    /// All of the environment.
    let variables: [String: String]
    let folder: String
    let log: Log
    /// The feed's name, before each line in the log.
    let feed: String
    /// How long the program may take to end when it is asked to, and how long something that it started may keep its
    /// output open.
    static let patience = Milliseconds(5000)

    /// The command failed, so no file was written.
    struct Unsuccessful: Error {
        /// Such as `psql ended with 2: FATAL: …`.
        var reason: String
    }

    /// What the file is.
    struct Output {
        var bytes = 0
        var digest = ""
    }

    /// Runs the command and writes its output.
    ///
    /// - Parameter file: is published by the caller if this returns.
    /// - Throws: `Unsuccessful`, `Failure` where the file cannot be written, `Interrupted`. The program has ended, and so has
    ///   what it started in its process group.
    func run(into file: inout AtomicFile) throws -> Output {
        let child: ChildProcess
        do {
            child = try ChildProcess(
                words, environment: variables.map { $0.key + "=" + $0.value }.ordered(), in: folder)
        } catch {
            throw Unsuccessful(reason: "\(command.name) cannot be started: \(String(cString: strerror(error.error)))")
        }
        var said = Said(secrets: secrets, log: log, feed: feed)
        defer { child.end(patience: Self.patience) }
        var written = Output()
        var hasher = SHA256()
        do {
            try copy(child, into: &file, written: &written, hasher: &hasher, said: &said)
        } catch let error as Unsuccessful {
            child.end(patience: Self.patience)
            throw Unsuccessful(reason: error.reason + said.ending)
        }
        guard child.ending == .exited(0) else { throw Unsuccessful(reason: describe(child.ending) + said.ending) }
        guard written.bytes > 0 else {
            throw Unsuccessful(
                reason:
                    "\(command.name) ended with 0 and printed nothing; for a day without rows, have it print the header "
                    + "or an empty line" + said.ending)
        }
        written.digest = hasher.finish().hex
        return written
    }

    /// Copies the output until it and the program have ended.
    private func copy(
        _ child: ChildProcess, into file: inout AtomicFile, written: inout Output, hasher: inout SHA256,
        said: inout Said
    ) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer {
            // What was said last, however much more is to come.
            if child.errors.isOpen { said.add(child.readErrors(into: memory)) }
            memory.deallocate()
        }
        let start = Self.now
        var endedAt: Int64?
        while true {
            try Interruption.process.check()
            // The program's end must not be found after its last output was read.
            if endedAt == nil, child.hasEnded() { endedAt = Self.now }
            if child.errors.isOpen { said.add(child.readErrors(into: memory)) }
            let bytes =
                child.output.isOpen ? child.readOutput(into: memory) : UnsafeRawBufferPointer(rebasing: memory[..<0])
            if !bytes.isEmpty {
                written.bytes += bytes.count
                guard written.bytes <= command.bytesMax else {
                    throw Unsuccessful(reason: "\(command.name) printed more than maxBytes, \(command.bytesMax)")
                }
                hasher.update(bytes)
                try file.write(Array(bytes))
            } else if let endedAt {
                if !child.output.isOpen { return }
                guard Self.now - endedAt < Self.patience.count else {
                    throw Unsuccessful(
                        reason:
                            "\(command.name) ended, but something that it started still had its output open, so it may be "
                            + "incomplete")
                }
                child.wait(milliseconds: 20)
            } else {
                child.wait(milliseconds: child.output.isOpen ? 100 : 10)
            }
            guard Self.now - start < command.timeout.count else {
                throw Unsuccessful(reason: "\(command.name) did not end within \(command.timeout.words)")
            }
        }
    }

    private func describe(_ ending: ChildProcess.Ending?) -> String {
        switch ending {
        case .exited(127)?: "\(command.name) ended with 127: a program was not found"
        case .exited(let code)?: "\(command.name) ended with \(code)"
        case .signal(let number)?: "\(command.name) was ended by signal \(number)"
        case nil: "\(command.name) did not end"
        }
    }

    /// The time of the monotonic clock, in milliseconds.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// What must not be in a log: values of the environment that are passwords, and arguments that may hold one.
    private var secrets: [String] {
        let own = ["PATH", "HOME", "LANG", Leftovers.variable]
        let open = ["PGHOST", "PGPORT", "PGUSER", "PGDATABASE", "PGSERVICE", "PGSSLMODE", "MYSQL_HOST"]
        var secrets = variables.filter { !own.contains($0.key) && !open.contains($0.key) }.map(\.value)
        for word in words.dropFirst() {
            let plain = word.lowercased()
            guard
                word.hasPrefix("-p")
                    || ["://", "pass", "pwd", "token", "secret", "key"].contains(where: plain.contains)
            else { continue }
            secrets.append(word)
            secrets += word.split { "=:@/ ;&?'\"".contains($0) }.map(String.init)
            if word.hasPrefix("-p") { secrets.append(String(word.dropFirst(2))) }
        }
        return Set(secrets.filter { $0.utf8.count > 3 }).ordered { $0.count > $1.count }
    }
}

/// What a command says on standard error: each line goes to the log, the first and the last ones into the failure's message.
private struct Said {
    let secrets: [String]
    let log: Log
    let feed: String
    private var rest: [UInt8] = []
    private var first: [String] = []
    private var last: [String] = []
    private var lines = 0

    private static let linesMax = 200
    /// How many characters of a line are shown. More are read, so that no cut goes through a secret that is shown.
    private static let shownMax = 1000
    private static let bytesMax = 8 * shownMax

    init(secrets: [String], log: Log, feed: String) {
        (self.secrets, self.log, self.feed) = (secrets, log, feed)
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { endLine() } else if rest.count < Self.bytesMax { rest.append(byte) }
        }
    }

    private mutating func endLine() {
        var line = String(decoding: rest, as: UTF8.self)
        rest = []
        if line.allSatisfy(\.isWhitespace) { return }
        for secret in secrets { line = line.replacing(secret, with: "…") }
        line = String(line.prefix(Self.shownMax))
        lines += 1
        if lines <= Self.linesMax { log.notice("\(feed): \(line)") }
        if lines == Self.linesMax + 1 { log.notice("\(feed): more lines are left out") }
        if first.isEmpty { first = [line] } else { last = last.suffix(1) + [line] }
    }

    /// The first line, which with psql is the error itself, and the last ones, after a colon; empty if nothing was said.
    var ending: String {
        var copy = self
        copy.endLine()
        let text = (copy.first + copy.last).map { $0.prefix(200) }.joined(separator: " / ")
        return text.isEmpty ? "" : ": " + display(text)
    }
}

extension Milliseconds {
    /// Such as `10 min`.
    fileprivate var words: String {
        count % 60_000 == 0 ? "\(count / 60_000) min" : "\(count / 1000) s"
    }
}
