internal import CZlib

/// Decompresses a gzip stream (RFC 1952) piece by piece. Memory does not depend on the size of the result.
struct Gunzip: ~Copyable {
    /// The state after one step.
    enum Outcome: Equatable {
        /// More input or output space is needed.
        case more
        /// A gzip member has ended with a valid checksum; another may follow.
        case memberEnd
        /// The stream is damaged or its checksum is wrong.
        case corrupt
    }

    /// The first two bytes of a gzip member.
    static let magic: [UInt8] = [0x1F, 0x8B]
    /// A larger compression ratio is refused. Files of rows compress to between a fifth and a fiftieth; only a
    /// decompression bomb reaches a five-hundredth.
    static let ratioMax: Int64 = 500
    /// Up to this size, the ratio does not matter: it takes seconds. Rows of a client's constant signs compress so well, too,
    /// and only a thousand of the longest reach it.
    static let harmlessBytes: Int64 = 4 << 30

    /// On the heap, because zlib's state points back at it and it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let done = reconcile_inflate_init_gzip(stream)
        precondition(done == Z_OK, "zlib cannot begin: out of memory, or another version than built with")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decompresses as much of `input` into `output` as fits, and returns how many bytes were read and written.
    mutating func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int, outcome: Outcome) {
        // zlib does not write to its input, although the type allows it.
        let source = UnsafeMutableRawPointer(mutating: input.baseAddress)
        stream.pointee.next_in = source?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_in = uInt(clamping: input.count)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(clamping: output.count)
        let offered = (stream.pointee.avail_in, stream.pointee.avail_out)
        let result = CZlib.inflate(stream, Z_NO_FLUSH)
        let read = Int(offered.0 - stream.pointee.avail_in)
        let written = Int(offered.1 - stream.pointee.avail_out)
        switch result {
        case Z_OK, Z_BUF_ERROR: return (read, written, .more)
        case Z_STREAM_END:
            inflateReset(stream)
            return (read, written, .memberEnd)
        default: return (read, written, .corrupt)
        }
    }
}
