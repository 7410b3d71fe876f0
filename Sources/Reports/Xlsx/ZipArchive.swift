internal import Glibc

/// A file of a ZIP archive, compressed. See APPNOTE.TXT of PKWARE, 4.3.
struct ZipMember {
    var name: String
    /// Of the content, CRC-32.
    var checksum: UInt
    /// The number of bytes of the content.
    var size: Int
    var bytes: ArraySlice<UInt8>

    var content: [UInt8]? { inflated(bytes, size: size) }
}

/// The files of an archive as libxlsxwriter writes it: every file is compressed, and no comment follows.
///
/// - Returns: nil where it is not such an archive.
func zipMembers(of archive: [UInt8]) -> [ZipMember]? {
    func number(_ at: Int, bytes count: Int) -> Int? {
        guard at >= 0, at + count <= archive.count else { return nil }
        return archive[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let end = archive.count - 22
    guard number(end, bytes: 4) == 0x0605_4B50, let count = number(end + 10, bytes: 2),
        var at = number(end + 16, bytes: 4)
    else { return nil }
    var members: [ZipMember] = []
    for _ in 0..<count {
        guard number(at, bytes: 4) == 0x0201_4B50, number(at + 10, bytes: 2) == 8,
            let checksum = number(at + 16, bytes: 4), let packed = number(at + 20, bytes: 4),
            let size = number(at + 24, bytes: 4), let nameSize = number(at + 28, bytes: 2),
            let extra = number(at + 30, bytes: 2), let local = number(at + 42, bytes: 4),
            let localName = number(local + 26, bytes: 2), let localExtra = number(local + 28, bytes: 2)
        else { return nil }
        let start = local + 30 + localName + localExtra
        guard start + packed <= archive.count, at + 46 + nameSize <= archive.count else { return nil }
        members.append(
            ZipMember(
                name: String(decoding: archive[(at + 46)...].prefix(nameSize), as: UTF8.self),
                checksum: UInt(checksum), size: size, bytes: archive[start..<start + packed]))
        at += 46 + nameSize + extra
    }
    return members
}

/// Writes an archive of these files to an open, empty file.
///
/// - Returns: 0, or the `errno` of the call that failed: `EFBIG` where the archive would need the format's extension for
///   4 GiB and more.
func writeZip(_ members: [ZipMember], to descriptor: Int32) -> Int32 {
    var directory: [UInt8] = []
    var offset = 0
    for member in members {
        if max(member.size, offset + member.bytes.count) > 0xF000_0000 { return EFBIG }
        // The version that reads it, no flags, deflated, 1980-01-01 00:00.
        var common: [UInt8] = [20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0]
        for (number, count) in [
            (Int(member.checksum), 4), (member.bytes.count, 4), (member.size, 4), (member.name.utf8.count, 2), (0, 2),
        ] { common += littleEndian(number, bytes: count) }
        let local = littleEndian(0x0403_4B50, bytes: 4) + common + member.name.utf8
        directory += littleEndian(0x0201_4B50, bytes: 4) + [0, 0] + common
        // No comment, first disk, no attributes.
        directory += [UInt8](repeating: 0, count: 10) + littleEndian(offset, bytes: 4) + member.name.utf8
        let error = member.bytes.withUnsafeBytes { bytes in
            let error = writeAll(local, to: descriptor)
            return error == 0 ? writeAll(bytes, to: descriptor) : error
        }
        if error != 0 { return error }
        offset += local.count + member.bytes.count
    }
    let count = littleEndian(members.count, bytes: 2)
    let end =
        littleEndian(0x0605_4B50, bytes: 4) + [0, 0, 0, 0] + count + count + littleEndian(directory.count, bytes: 4)
        + littleEndian(offset, bytes: 4) + [0, 0]
    return writeAll(directory + end, to: descriptor)
}

private func littleEndian(_ number: Int, bytes count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}
