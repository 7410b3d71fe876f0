internal import Base
internal import Console
internal import Foundation
internal import Glibc
internal import Settings

/// A file in the desk's folder, open for appending: agents at a shell and the web server's user both write there.
struct DeskFile: ~Copyable {
    private let descriptor: Int32
    private let path: String

    /// Opens the file, and creates file and folder if they do not exist.
    ///
    /// - Throws: `Failure` if they cannot be created or opened; the remedy names the folder.
    init(_ name: String, _ configuration: Configuration) throws(Failure) {
        let (folder, hasGroup) = (configuration.desk.folder, configuration.group != nil)
        let file = folder + "/" + name
        let mode: mode_t = hasGroup ? 0o660 : 0o600
        if mkdir(folder, hasGroup ? 0o2770 : 0o700) != 0, errno != EEXIST {
            throw Self.refusal("create", folder, folder)
        }
        let opened = open(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, mode)
        guard opened >= 0 else { throw Self.refusal("open", file, folder) }
        // The process's mask takes the group's permissions away from a new file. Only the file's owner may give them.
        if hasGroup { fchmod(opened, mode) }
        (descriptor, path) = (opened, file)
    }

    deinit { close(descriptor) }

    /// Waits until no other process has the file locked. The lock ends with this value.
    func lock() throws(Failure) {
        if uninterrupted({ flock(descriptor, LOCK_EX) }) != 0 {
            throw .system(errno, cannot: "lock", path, otherwise: .inputOutput)
        }
    }

    /// Moves what follows the last line feed to a file of its own, with `.torn` at the end of its name: a writer was killed,
    /// or the disk was full. Call it while the file is locked.
    ///
    /// - Returns: the name of that file. Nil if the file ends with a line feed, or is empty.
    func setTornLineAside() throws(Failure) -> String? {
        guard let content = FileManager.default.contents(atPath: path), !content.isEmpty,
            content.last != UInt8(ascii: "\n")
        else { return nil }
        let end = content.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let torn = path + ".torn"
        let aside = open(torn, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard aside >= 0 else { throw .system(errno, cannot: "open", torn, otherwise: .cannotCreate) }
        defer { close(aside) }
        var error = writeAll(Array(content[end...]) + [UInt8(ascii: "\n")], to: aside)
        if error == 0, fsync(aside) != 0 || ftruncate(descriptor, off_t(end)) != 0 { error = errno }
        if error != 0 { throw .system(error, cannot: "write", torn, otherwise: .inputOutput) }
        return torn
    }

    /// Writes lines by one call, so that lines of several processes do not mix.
    ///
    /// - Parameter isDurable: whether the lines must survive a loss of power.
    func append(_ lines: [String], isDurable: Bool) throws(Failure) {
        var error = writeAll(Array(lines.map { $0 + "\n" }.joined().utf8), to: descriptor)
        if error == 0, isDurable, fsync(descriptor) != 0 { error = errno }
        if error != 0 { throw .system(error, cannot: "write", path, otherwise: .inputOutput) }
    }

    private static func refusal(_ task: String, _ path: String, _ folder: String) -> Failure {
        var failure = Failure.system(errno, cannot: task, path, otherwise: .cannotCreate)
        failure.remedy = "Let this user write the folder \(quoted(folder))."
        return failure
    }
}
