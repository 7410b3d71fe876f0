public import Glibc

/// Repeats a system call on a file as long as signals interrupt it.
@inlinable
public func uninterrupted<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
        let count = call()
        if count >= 0 || errno != EINTR { return count }
    }
}

/// Writes all bytes, in as many calls as necessary. Returns 0, or the `errno` of the call that failed.
public func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = uninterrupted { write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count) }
        if count <= 0 { return count == 0 ? EIO : errno }
        rest = rest.dropFirst(count)
    }
    return 0
}

public func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
}
