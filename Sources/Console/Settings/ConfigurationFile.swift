internal import Glibc

extension Configuration {
    /// Reads a configuration file.
    ///
    /// - Parameters:
    ///   - file: its absolute path.
    ///   - name: the file's name in messages, as the user wrote it.
    public static func read(_ file: String, shownAs name: String) throws(Failure) -> Configuration {
        let bytes = try contents(of: file, shownAs: name)
        if let text = String(validating: bytes, as: UTF8.self) { return try parsed(text, file: file, shownAs: name) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        let position = JSON5.Position(line: bad + 1, column: 1)
        throw ConfigurationProblem(position, "this line is not UTF-8", remedy: "Save the file as UTF-8.").failure(name)
    }

    /// The configuration that a file's text is.
    ///
    /// - Parameter file: the file's absolute path, to whose folder relative paths refer. It is not read.
    public static func parsed(_ text: String, file: String, shownAs name: String) throws(Failure) -> Configuration {
        do { return try ConfigurationReader(file: file).read(text) } catch { throw error.failure(name) }
    }

    private static let bytesMax = 1 << 20

    private static func contents(of path: String, shownAs name: String) throws(Failure) -> [UInt8] {
        if access(path, F_OK) != 0, errno == ENOENT {
            throw Failure(
                .configuration, "the configuration \(quoted(name)) does not exist",
                remedy: "Check the path, or start one with 'reconcile init'.")
        }
        // Without O_NONBLOCK, a pipe would wait for a writer.
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK, shownAs: name, to: "read", otherwise: .configuration)
        if file.status.st_mode & S_IFMT == S_IFIFO {
            throw Failure(
                .configuration, "\(quoted(name)) is a pipe", remedy: "Name a file: paths are relative to its folder.")
        }
        let bytes = try file.read(upTo: bytesMax + 1, otherwise: .configuration)
        guard bytes.count <= bytesMax else {
            throw Failure(
                .configuration, "\(quoted(name)) is larger than a configuration can be (1 MiB)",
                remedy: "Check the path.")
        }
        return bytes
    }
}

extension ConfigurationProblem {
    /// - Parameter name: the file's name, as the user wrote it.
    fileprivate func failure(_ name: String) -> Failure {
        Failure(
            .configuration, "\(display(name)):\(position.line):\(position.column): " + message, remedy: remedy)
    }
}
