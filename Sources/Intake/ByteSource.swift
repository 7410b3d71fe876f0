/// The content of a delivered file. It is read once, hashed as stored on disk, and decompressed if it is gzip.
///
/// Throws `IntakeError` if the file cannot be read, and `FileDefect` if it must be refused.
struct ByteSource: ~Copyable {
    private let file: InputFile
    private let before: FileStamp
    private var hasher = SHA256()
    private var gunzip: Gunzip?
    /// Compressed bytes that were read and not yet decompressed: `packed[next..<packed.count]`.
    private var packed: [UInt8] = []
    private var next = 0
    private var isInMember = false
    private var isFirstRead = true
    private var unpacked: Int64 = 0
    private let harmlessBytes: Int64
    private let work: WorkCount
    /// Converts the content to UTF-8; nil if it is UTF-8.
    private let transcoder: Transcoder?
    private let path: String

    /// - Parameters:
    ///   - encoding: of the content.
    ///   - work: counts the bytes as they are read, for progress.
    init(
        _ path: String, encoding: TextEncoding = .utf8, work: WorkCount = WorkCount(),
        harmlessBytes: Int64 = Gunzip.harmlessBytes
    ) throws(IntakeError) {
        self.harmlessBytes = harmlessBytes
        transcoder = encoding == .utf8 ? nil : Transcoder(encoding)
        self.path = path
        let file = try InputFile(path)
        before = try file.stamp()
        self.file = file
        self.work = work
    }

    /// The state of the file when it was opened.
    var stamp: FileStamp { before }

    /// The digest of all bytes read. Throws if the file changed meanwhile, which means that its sender has not
    /// finished.
    mutating func finish() throws -> Digest256 {
        guard try file.stamp() == before else {
            throw FileDefect(
                "still being written: it changed while it was read; write it under another name, and rename it when it is complete"
            )
        }
        return hasher.finish()
    }

    /// Reads the rest of the content, to compute the digest and to check that the file is complete.
    mutating func drain() throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while try buffer.withUnsafeMutableBytes({ try fill($0) }) > 0 {}
    }

    /// Fills `buffer` with content in UTF-8 and returns the number of bytes; fewer than it holds only at the end of the
    /// content.
    mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let transcoder else { return try fillAsStored(buffer) }
        return try transcoder.fill(buffer, path: path) { try fillAsStored($0) }
    }

    /// Like `fill`, without converting the encoding.
    private mutating func fillAsStored(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let step = gunzip == nil ? try readPlain(into: rest) : try unpack(into: rest)
            guard let step else { break }
            count += step
        }
        return count
    }

    /// Reads uncompressed content; nil at the end. The first read detects gzip and switches to `unpack`.
    private mutating func readPlain(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        let count = try readRaw(into: buffer)
        if isFirstRead {
            isFirstRead = false
            if buffer.prefix(count).starts(with: Gunzip.magic) {
                packed = Array(buffer.prefix(count))
                gunzip = Gunzip()
                isInMember = true
                return 0
            }
        }
        return count == 0 ? nil : count
    }

    /// Reads bytes as they are on disk, and hashes and counts them.
    private mutating func readRaw(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try file.read(into: buffer)
        work.add(bytes: Int64(count))
        hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        return count
    }

    /// Decompresses into `buffer` and returns the number of bytes; nil at the end of the content.
    private mutating func unpack(into buffer: UnsafeMutableRawBufferPointer) throws -> Int? {
        if next == packed.count, try !readPacked() {
            guard !isInMember else { throw FileDefect("its gzip stream is truncated; deliver the complete file again") }
            return nil
        }
        if !isInMember {
            guard packed[next...].starts(with: Gunzip.magic.prefix(packed.count - next)) else {
                throw FileDefect("its gzip stream is followed by other data; deliver it again")
            }
            isInMember = true
        }
        let (read, written, outcome) = packed.withUnsafeBytes { [next] in
            gunzip!.inflate(UnsafeRawBufferPointer(rebasing: $0[next...]), into: buffer)
        }
        next += read
        unpacked += Int64(written)
        if unpacked > harmlessBytes, unpacked / Gunzip.ratioMax > stamp.bytes {
            throw FileDefect(
                "it decompresses to more than \(Gunzip.ratioMax) times its size, which no export does; deliver it uncompressed"
            )
        }
        switch outcome {
        case .more: break
        case .memberEnd: isInMember = false
        case .corrupt: throw FileDefect("its gzip stream is corrupt; deliver it again")
        }
        return written
    }

    /// Reads more compressed bytes; false at the end of the file.
    private mutating func readPacked() throws -> Bool {
        if packed.count < 1 << 18 { packed = [UInt8](repeating: 0, count: 1 << 18) }
        next = 0
        var bytes = packed
        packed = []
        let count = try bytes.withUnsafeMutableBytes { try readRaw(into: $0) }
        bytes.removeLast(bytes.count - count)
        packed = bytes
        return count > 0
    }
}
