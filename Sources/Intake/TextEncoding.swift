internal import Glibc

/// How the bytes of a file stand for characters. The raw values are the configuration's words.
public enum TextEncoding: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case gbk, gb18030
    case utf16 = "utf-16"

    /// The encoding's name, for messages.
    var name: String { rawValue.uppercased() }

    /// The text that the bytes of a whole file stand for; nil if they are not text in this encoding.
    public func text(of bytes: [UInt8]) -> String? {
        let transcoder = Transcoder(self)
        var rest = bytes[...]
        var text: [UInt8] = []
        var count = 0
        repeat {
            let piece = try? [UInt8](unsafeUninitializedCapacity: Transcoder.inputBytes) { piece, used in
                used = try transcoder.fill(UnsafeMutableRawBufferPointer(piece), path: "") { buffer in
                    let part = rest.prefix(buffer.count)
                    buffer.copyBytes(from: part)
                    rest = rest.dropFirst(part.count)
                    return part.count
                }
            }
            guard let piece else { return nil }
            count = piece.count
            text += piece
        } while count == Transcoder.inputBytes
        return String(validating: text, as: UTF8.self)
    }
}

/// Converts the content of a file to UTF-8 piece by piece, by the C library's iconv.
///
/// A byte that the encoding does not have becomes 0xFF, which UTF-8 does not have either: the rows that contain it are
/// then rejected, and no others.
final class Transcoder {
    private let encoding: TextEncoding
    /// Nil until the first bytes show the order of bytes in UTF-16.
    private var handle: iconv_t?
    private var input: [UInt8] = []
    /// Converted bytes that were not handed out yet: `output[given..<output.count]`.
    private var output: [UInt8] = []
    private var given = 0
    private var isAtEnd = false
    static let inputBytes = 1 << 16

    init(_ encoding: TextEncoding) { self.encoding = encoding }

    deinit { if let handle { iconv_close(handle) } }

    /// Fills `buffer` with UTF-8 and returns the number of bytes; fewer than it holds only at the end of the content.
    ///
    /// - Parameter read: reads the file's own bytes, in the same way.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, path: String, read: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Int {
        var count = 0
        while count < buffer.count {
            if given == output.count, try !convertMore(path, read) { break }
            let piece = output[given..<min(output.count, given + buffer.count - count)]
            UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: piece)
            count += piece.count
            given += piece.count
        }
        return count
    }

    /// Reads and converts one more piece; false at the end of the content.
    private func convertMore(
        _ path: String, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws -> Bool {
        if isAtEnd { return false }
        let old = input.count
        input += [UInt8](repeating: 0, count: Self.inputBytes)
        let count = try input.withUnsafeMutableBytes {
            try read(UnsafeMutableRawBufferPointer(rebasing: $0[old...]))
        }
        input.removeLast(Self.inputBytes - count)
        isAtEnd = count < Self.inputBytes
        let handle = try self.handle ?? open(path)
        self.handle = handle
        let used = convert(handle)
        input.removeFirst(used)
        if isAtEnd, !input.isEmpty {
            throw FileDefect(
                "it ends in the middle of a character, so it is incomplete; deliver the complete file again")
        }
        return true
    }

    private func open(_ path: String) throws -> iconv_t {
        if let defect = FileDefect.foreign(input, encoding) { throw defect }
        let name =
            switch encoding {
            case .utf8: "UTF-8"
            // Windows' own GBK, which has the euro sign as well.
            case .gbk: "CP936"
            case .gb18030: "GB18030"
            case .utf16: input.starts(with: [0xFE, 0xFF]) || input.first == 0 ? "UTF-16BE" : "UTF-16LE"
            }
        // The C library reports failure as a pointer of −1.
        guard let handle = iconv_open("UTF-8", name), Int(bitPattern: handle) != -1 else {
            throw IntakeError.cannotDecode(path: path, encoding: encoding.rawValue)
        }
        return handle
    }

    /// Converts `input` into `output`, up to a character that is not complete. Returns how many bytes were used.
    private func convert(_ handle: iconv_t) -> Int {
        // A byte becomes at most three bytes of UTF-8, in each of the encodings.
        let room = input.count * 3 + 16
        var used = 0
        let total = input.count
        given = 0
        output = [UInt8](unsafeUninitializedCapacity: room) { result, written in
            input.withUnsafeMutableBytes { input in
                var (from, left) = (input.baseAddress?.assumingMemoryBound(to: CChar.self), total)
                let start = UnsafeMutableRawPointer(result.baseAddress!).assumingMemoryBound(to: CChar.self)
                var (to, free): (UnsafeMutablePointer<CChar>?, Int) = (start, room)
                while left > 0 {
                    guard iconv(handle, &from, &left, &to, &free) == -1, errno == EILSEQ else { break }
                    let step = min(left, encoding == .utf16 ? 2 : 1)
                    to!.pointee = -1
                    (to, free) = (to! + 1, free - 1)
                    (from, left) = (from! + step, left - step)
                }
                used = total - left
                written = room - free
            }
        }
        return used
    }
}
