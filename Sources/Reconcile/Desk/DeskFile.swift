internal import Foundation
internal import Glibc

/// What could not be put on record, and so did not happen or is not shown.
struct Unrecorded: Error {
    let failure: Failure
}

/// A file in the desk's folder, open for appending: agents at a shell and the web server's user both write there.
struct DeskFile: ~Copyable {
    private let file: OpenFile
    private let path: String

    /// Opens the file, and creates file and folder if they do not exist.
    ///
    /// - Throws: `Failure` if they cannot be created or opened; the remedy names the folder.
    init(_ name: String, _ configuration: Configuration) throws(Failure) {
        let (folder, hasGroup) = (configuration.desk.folder, configuration.group != nil)
        let mode: mode_t = hasGroup ? 0o660 : 0o600
        path = folder + "/" + name
        do throws(Failure) {
            if mkdir(folder, hasGroup ? 0o2770 : 0o700) != 0, errno != EEXIST {
                throw .system(errno, cannot: "create", folder, otherwise: .cannotCreate)
            }
            file = try OpenFile(path, Self.appending, mode: mode)
        } catch {
            throw Failure(error.code, error.message, remedy: "Let this user write the folder \(quoted(folder)).")
        }
        // The process's mask takes the group's permissions away from a new file. Only the file's owner may give them.
        if hasGroup { fchmod(file.descriptor, mode) }
    }

    /// The file `name-YYYY-MM.jsonl` of that month, locked: of two agents who record something about one purchase at once,
    /// one comes second. Lines count in the order of the files' names, so where there is a file of a later month, it is that
    /// one. A line that was not written to its end is set aside.
    ///
    /// - Parameter torn: receives the name of the file where such a line is now.
    static func locked(
        _ name: String, at instant: Instant, _ configuration: Configuration, torn: (String) -> Void
    ) throws(Unrecorded) -> DeskFile {
        do throws(Failure) {
            let own = "\(name)-\(instant.text.prefix(7)).jsonl"
            while true {
                let last = try names(of: name, configuration).months.last ?? own
                let file = try DeskFile(last, configuration)
                try file.lock()
                // Only the process that has the newest file locked creates the next one. Others then find it and use it.
                if last < own { _ = try DeskFile(own, configuration) }
                guard try names(of: name, configuration).months.last == last else { continue }
                if let name = try file.setTornLineAside() { torn(name) }
                return file
            }
        } catch {
            throw Unrecorded(failure: error)
        }
    }

    private static let appending = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW

    /// Waits until no other process has the file locked. The lock ends with this value.
    func lock() throws(Failure) {
        if !file.lock(waits: true) { throw .system(errno, cannot: "lock", path, otherwise: .inputOutput) }
    }

    /// Moves what follows the last line feed to a file of its own, with `.torn` at the end of its name: a writer was killed,
    /// or the disk was full. Call it while the file is locked.
    ///
    /// - Returns: the name of that file. Nil if the file ends with a line feed, or is empty.
    func setTornLineAside() throws(Failure) -> String? {
        var last = UInt8(ascii: "\n")
        let size = lseek(file.descriptor, 0, SEEK_END)
        if size > 0, pread(file.descriptor, &last, 1, size - 1) == 1, last == UInt8(ascii: "\n") { return nil }
        guard let content = FileManager.default.contents(atPath: path), !content.isEmpty,
            content.last != UInt8(ascii: "\n")
        else { return nil }
        let end = content.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let torn = path + ".torn"
        try OpenFile(torn, Self.appending).write(Array(content[end...]) + [UInt8(ascii: "\n")], isDurable: true)
        if ftruncate(file.descriptor, off_t(end)) != 0 {
            throw .system(errno, cannot: "write", torn, otherwise: .inputOutput)
        }
        return torn
    }

    /// Writes lines to the file, which is locked. Lines that cannot be written and synchronized are taken away again: a later
    /// sync would not prove that they are on the disk.
    ///
    /// - Parameter isDurable: whether the lines must survive a loss of power.
    func append(_ lines: [String], isDurable: Bool) throws(Unrecorded) {
        let end = lseek(file.descriptor, 0, SEEK_END)
        do throws(Failure) {
            try file.write(Array(lines.map { $0 + "\n" }.joined().utf8), isDurable: isDurable)
        } catch {
            ftruncate(file.descriptor, end)
            throw Unrecorded(failure: error)
        }
    }
}

/// A line that cannot be read.
struct DamagedDeskLine {
    /// The path, in quotes.
    var file: String
    var number: Int
    /// It was not written to its end.
    var isTorn: Bool
    var place: String { "\(file), line \(number)" }
}

extension DeskFile {
    /// The files `name-YYYY-MM.jsonl`, in the order in which they were written; and other files whose names begin so, such as a
    /// person's copy of one.
    private static func names(
        of name: String, _ configuration: Configuration
    ) throws(Failure) -> (months: [String], others: [String]) {
        let folder = configuration.desk.folder
        guard FileManager.default.fileExists(atPath: folder) else { return ([], []) }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .system(errno == 0 ? EACCES : errno, cannot: "read", folder, otherwise: .inputOutput)
        }
        let all = names.filter { $0.hasPrefix(name + "-") && $0.hasSuffix(".jsonl") }.sorted()
        for file in all where !isFile(folder + "/" + file) {
            throw Failure(
                .inputOutput, "\(quoted(folder + "/" + file)) is not a file",
                remedy: "It is a folder, or a link that leads to no file. Take it out of the folder \(quoted(folder)).")
        }
        let months = all.filter { $0.dropFirst(name.utf8.count).wholeMatch(of: /-\d{4}-\d\d\.jsonl/) != nil }
        return (months, all.filter { !months.contains($0) })
    }

    /// The lines of all files `name-YYYY-MM.jsonl`, in the order in which they were written. Before them those of other files
    /// whose names begin so: of a copy, each line counts once more, and the original's later lines still decide.
    ///
    /// - Parameter damaged: receives the lines that cannot be read.
    static func lines<Line: MemberRecord>(
        of name: String, _ configuration: Configuration, damaged: (DamagedDeskLine) throws(Failure) -> Void
    ) throws(Failure) -> [Line] {
        var found: [Line] = []
        var members = Members()
        let names = try names(of: name, configuration)
        for file in names.others + names.months {
            let path = configuration.desk.folder + "/" + file
            let content = try contents(of: path)
            let lines = content.split(separator: UInt8(ascii: "\n"))
            for (number, line) in lines.enumerated() {
                if let read: Line = line.withUnsafeBytes({ try? members.read($0, strictly: false) }) {
                    found.append(read)
                } else {
                    let isTorn = number == lines.count - 1 && content.last != UInt8(ascii: "\n")
                    try damaged(DamagedDeskLine(file: quoted(path), number: number + 1, isTorn: isTorn))
                }
            }
        }
        return found
    }
}
