internal import Glibc

/// Collects a day's notifications in a file without a name, and writes them in order, without repetitions, into one with a
/// name. The memory holds 24 bytes for each.
struct NotificationSpool: ~Copyable {
    private struct Entry {
        /// The beginning of the SHA-256 of the payload: the order of the lines.
        var digest: UInt64
        var offset: Int
        var count: Int32
    }
    private let path: String
    private let file: OpenFile
    /// Whether the file's name could be removed at once; then nothing of it outlives the process.
    private let isNameless: Bool
    private var entries: [Entry] = []
    private var buffer: [UInt8] = []
    private var length = 0
    private static let bufferMax = 1 << 20

    /// A spool on the disk of the folder.
    init(in folder: String) throws(Failure) {
        path = folder + "/.fetch.spool"
        file = try OpenFile(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW, to: "create")
        isNameless = unlink(path) == 0
    }

    deinit { if !isNameless { unlink(path) } }

    /// How many were added, repetitions included.
    var count: Int { entries.count }

    mutating func add(_ payload: UnsafeRawBufferPointer) throws(Failure) {
        let digest = SHA256.digest(of: payload).words.0
        entries.append(Entry(digest: digest, offset: length, count: Int32(payload.count)))
        length += payload.count
        buffer.append(contentsOf: payload)
        if buffer.count >= Self.bufferMax { try flush() }
    }

    private mutating func flush() throws(Failure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try file.write(buffer)
    }

    /// Writes the file of the day: a line `{"signedPayload": "…"}` for each notification, or one empty line if there is
    /// none. It gets its name when all of it is on disk.
    ///
    /// - Returns: the number of lines.
    mutating func publish(as path: String) throws(Failure) -> Int {
        try flush()
        var file = try AtomicFile(path)
        let count = try write(into: &file)
        if count == 0 { try file.write([UInt8(ascii: "\n")]) }
        try file.publish()
        return count
    }

    private mutating func write(into file: inout AtomicFile) throws(Failure) -> Int {
        entries.order { ($0.digest, $0.offset) < ($1.digest, $1.offset) }
        let (before, after) = (Array("{\"signedPayload\":\"".utf8), Array("\"}\n".utf8))
        var count = 0
        // Payloads whose digests begin alike are compared as a whole.
        var index = 0
        while index < entries.count {
            let end = entries[index...].firstIndex { $0.digest != entries[index].digest } ?? entries.count
            var payloads: [[UInt8]] = []
            for entry in entries[index..<end] {
                let payload = try payload(entry)
                if !payloads.contains(payload) { payloads.append(payload) }
            }
            for payload in payloads.count > 1 ? payloads.ordered(by: { $0.lexicographicallyPrecedes($1) }) : payloads {
                try file.write(before)
                try file.write(payload)
                try file.write(after)
            }
            count += payloads.count
            index = end
        }
        return count
    }

    private func payload(_ entry: Entry) throws(Failure) -> [UInt8] {
        let (bytes, error) = readAll(upTo: Int(entry.count)) { memory, done in
            pread(file.descriptor, memory.baseAddress, memory.count, entry.offset + done)
        }
        guard error == 0, bytes.count == entry.count else {
            throw .system(error == 0 ? EIO : error, cannot: "read", path, otherwise: .inputOutput)
        }
        return bytes
    }
}
