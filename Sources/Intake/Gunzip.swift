internal import CZlib

/// A gzip stream being unpacked, piece by piece: memory does not depend on what it unpacks to.
struct Gunzip: ~Copyable {
    enum Outcome: Equatable {
        case more
        /// A member has ended and its checksum holds; another may follow.
        case memberEnd
        case corrupt
    }

    static let magic: [UInt8] = [0x1F, 0x8B]
    /// A file of rows packs to a fifth or a fiftieth; only what is made to waste time packs to a five-hundredth.
    static let ratioMax: Int64 = 500
    /// So little wastes no time, whatever it was packed to.
    static let harmlessBytes: Int64 = 64 << 20

    /// zlib's own state points back at it, so it must not move.
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

    /// Unpacks from the front of `input` into the front of `output`, as far as both go, and says how far.
    mutating func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int, outcome: Outcome) {
        // zlib does not write to its input, though its type says so.
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
