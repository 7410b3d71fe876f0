internal import CZlib

/// Compresses a part of a file for a ZIP archive, or a gzip file. Parts that begin with a deflater of their own and end with `end` can be
/// joined: together they are one compressed file.
final class Deflater {
    /// What was compressed so far.
    private(set) var bytes: [UInt8] = []
    /// The number of bytes that went in.
    private(set) var size = 0
    /// Their checksum, CRC-32.
    private(set) var checksum: UInt = 0
    /// zlib remembers the address of its state.
    private let stream: UnsafeMutablePointer<z_stream>

    /// The bytes as one gzip file.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let deflater = Deflater(window: MAX_WBITS + 16)
        bytes.withUnsafeBytes { deflater.add($0) }
        deflater.end(isLast: true)
        return deflater.bytes
    }

    /// - Parameter window: zlib's `windowBits`. A negative number leaves out header and checksum, as ZIP wants it.
    init(window: Int32 = -MAX_WBITS) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        let code = deflateInit2_(
            stream, Z_BEST_SPEED, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        precondition(code == Z_OK, "no memory for compression")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func add(_ content: UnsafeRawBufferPointer) {
        let content = content.bindMemory(to: UInt8.self)
        size += content.count
        checksum = crc32_z(checksum, content.baseAddress, content.count)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: content.baseAddress)
        stream.pointee.avail_in = UInt32(content.count)
        run(Z_NO_FLUSH)
    }

    /// - Parameter isLast: whether the file ends here. Otherwise another part follows.
    func end(isLast: Bool) { run(isLast ? Z_FINISH : Z_SYNC_FLUSH) }

    private func run(_ flush: Int32) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { room in
            repeat {
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                deflate(stream, flush)
                bytes += room[..<(room.count - Int(stream.pointee.avail_out))]
            } while stream.pointee.avail_out == 0
        }
    }
}

/// Undoes the compression of a file of a ZIP archive.
///
/// - Parameter size: the number of bytes that must come out.
/// - Returns: nil where the bytes are not such a file.
func inflated(_ bytes: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    var stream = z_stream()
    guard inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
        return nil
    }
    defer { inflateEnd(&stream) }
    var isWhole = false
    let content = [UInt8](unsafeUninitializedCapacity: size) { room, count in
        bytes.withUnsafeBufferPointer { bytes in
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(size)
            isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == size
        }
        count = Int(stream.total_out)
    }
    return isWhole ? content : nil
}

/// The checksum of two parts of a file together.
///
/// - Parameter size: of the second.
func joinedChecksum(_ first: UInt, _ second: UInt, size: Int) -> UInt { crc32_combine(first, second, size) }
