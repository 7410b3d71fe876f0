internal import Foundation
internal import Glibc
internal import JSON
internal import Reports

extension Configuration {
    /// The configuration named by the command line or `RECONCILE_CONFIG`, with the ledger and output folder of the
    /// command line.
    ///
    /// - Throws: `Failure` with `usage` if none is named, otherwise with `configuration`.
    static func load(for invocation: Invocation, in context: CommandContext) throws(Failure) -> Configuration {
        let variable = context.variables["RECONCILE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        guard let named = invocation.value(.config) ?? variable else {
            throw invocation.usage(
                "\(invocation.command.name) needs a configuration: --config FILE, or RECONCILE_CONFIG in the environment"
            )
        }
        let folder = context.folder
        var configuration = try read(absolute(named, in: folder), shownAs: named)
        if let ledger = invocation.value(.ledger) { configuration.ledger = absolute(ledger, in: folder) }
        if let output = invocation.value(.output) { configuration.output = absolute(output, in: folder) }
        return configuration
    }

    /// Reads a configuration file.
    ///
    /// - Parameter name: the file's name in messages, as the user wrote it.
    static func read(_ file: String, shownAs name: String) throws(Failure) -> Configuration {
        let bytes = try contents(of: file, shownAs: name)
        do {
            return try ConfigurationReader(file: file).read(try text(bytes))
        } catch {
            let place = "\(display(name)):\(error.position.line):\(error.position.column): "
            throw Failure(.configuration, place + error.message, remedy: error.remedy)
        }
    }

    private static let bytesMax = 1 << 20

    private static func contents(of file: String, shownAs name: String) throws(Failure) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)  // a pipe would wait for a writer
        guard descriptor >= 0 else {
            if errno != ENOENT { throw .system(errno, cannot: "read", name, otherwise: .configuration) }
            throw Failure(
                .configuration, "there is no configuration \(quoted(name))",
                remedy: "Check the path, or start one with 'reconcile init'.")
        }
        defer { close(descriptor) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
            throw Failure(
                .configuration, "\(quoted(name)) is a pipe", remedy: "Name a file: paths are relative to its folder.")
        }
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
        if problem != 0 { throw .system(problem, cannot: "read", name, otherwise: .configuration) }
        if bytes.count <= bytesMax { return bytes }
        throw Failure(
            .configuration, "\(quoted(name)) is larger than a configuration can be (1 MiB)", remedy: "Check the path.")
    }

    private static func text(_ bytes: [UInt8]) throws(ConfigurationProblem) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bad = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        let position = JSON5.Position(line: bad + 1, column: 1)
        throw ConfigurationProblem(position, "this line is not UTF-8", remedy: "Save the file as UTF-8.")
    }
}
