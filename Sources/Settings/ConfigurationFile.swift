internal import Base
internal import Glibc

/// Why a configuration file cannot be used.
public enum ConfigurationFileError: Error, Equatable {
    /// The file does not exist.
    case missing
    /// It is a pipe, which has no folder that paths could be relative to.
    case isPipe
    /// The system refused to read it; the code is `errno`.
    case cannotRead(code: Int32)
    /// It is larger than 1 MiB.
    case tooLarge
    /// Its content is wrong.
    case problem(ConfigurationProblem)
}

extension Configuration {
    /// Reads a configuration file.
    ///
    /// - Parameter file: its absolute path.
    public init(file: String) throws(ConfigurationFileError) {
        let bytes = try Self.contents(of: file)
        do { self = try ConfigurationReader(file: file).read(try Self.text(bytes)) } catch { throw .problem(error) }
    }

    /// The configuration that a file's text is.
    ///
    /// - Parameter file: the file's absolute path, to whose folder relative paths refer. It is not read.
    public init(text: String, file: String) throws(ConfigurationFileError) {
        do { self = try ConfigurationReader(file: file).read(text) } catch { throw .problem(error) }
    }

    private static let bytesMax = 1 << 20

    private static func contents(of file: String) throws(ConfigurationFileError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)  // a pipe would wait for a writer
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .cannotRead(code: errno) }
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO { throw .isPipe }
        var problem: Int32 = 0
        // Memory that is not written to costs nothing; most configurations have a few kilobytes.
        let bytes = [UInt8](unsafeUninitializedCapacity: bytesMax + 1) { memory, count in
            while count < memory.count {
                let step = Glibc.read(descriptor, memory.baseAddress! + count, memory.count - count)
                problem = step < 0 ? errno : 0
                if step <= 0 { return }
                count += step
            }
        }
        if problem != 0 { throw .cannotRead(code: problem) }
        if bytes.count > bytesMax { throw .tooLarge }
        return bytes
    }

    private static func text(_ bytes: [UInt8]) throws(ConfigurationProblem) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        let position = JSON5.Position(line: bad + 1, column: 1)
        throw ConfigurationProblem(position, "this line is not UTF-8", remedy: "Save the file as UTF-8.")
    }
}
