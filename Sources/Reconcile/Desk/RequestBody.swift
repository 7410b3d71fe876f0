internal import Base
internal import CGI
internal import Console
internal import Glibc

/// The request's body.
/// - Throws: `CGIProblem.cutShort`; `Failure` if standard input cannot be read.
func readBody(_ count: Int, from input: Int32) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
        let got = bytes.withUnsafeMutableBytes { bytes in
            uninterrupted { read(input, bytes.baseAddress! + filled, count - filled) }
        }
        if got < 0 { throw Failure.system(errno, cannot: "read", "standard input", otherwise: .inputOutput) }
        if got == 0 { throw CGIProblem.cutShort }
        filled += got
    }
    return bytes
}

/// Reads a body that is not used: Apache cuts the response off if the program ends before it has read the body.
func discardBody(_ count: Int, from input: Int32) {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    // An agent's mistake is shorter than this. The rest of a longer body is left unread.
    var left = min(count, 8 << 20)
    while left > 0 {
        let got = uninterrupted { read(input, &block, min(left, block.count)) }
        if got <= 0 { return }
        left -= got
    }
}
