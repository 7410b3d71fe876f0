public import Glibc

/// Repeats a system call on a file as long as signals interrupt it.
@inlinable
public func uninterrupted<Count: SignedInteger>(_ call: () -> Count) -> Count {
    while true {
        let count = call()
        if count >= 0 || errno != EINTR { return count }
    }
}

/// Reads to the end or up to a number of bytes, in as many calls as necessary.
///
/// - Parameter step: reads into a part of the memory, after the number of bytes that were read before.
/// - Returns: the bytes, and 0 or the `errno` of the call that failed.
public func readAll(
    upTo most: Int, _ step: (_ memory: UnsafeMutableBufferPointer<UInt8>, _ done: Int) -> Int
) -> (bytes: [UInt8], error: Int32) {
    var error: Int32 = 0
    // Memory that is not written to costs nothing.
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { memory, done in
        while done < memory.count {
            let count = uninterrupted { step(UnsafeMutableBufferPointer(rebasing: memory[done...]), done) }
            error = count < 0 ? errno : 0
            if count <= 0 { return }
            done += count
        }
    }
    return (bytes, error)
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
