internal import Glibc

/// minizip's function that begins a part of a zip file. minizip/zip.h.
private typealias OpenPart =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafeRawPointer?, UInt32,
        UnsafeRawPointer?, UInt32, UnsafePointer<CChar>?, Int32, Int32, Int32, Int32, Int32, Int32,
        UnsafePointer<CChar>?, UInt, UInt, UInt, Int32
    ) -> Int32

private let minizipOpenPart = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "zipOpenNewFileInZip4_64")
    .map { unsafeBitCast($0, to: OpenPart.self) }

/// zlib's Z_BEST_SPEED: half of a large workbook's time was compression; so it takes a quarter, for a fifth more bytes.
private let levelOfWorkbooks: Int32 = 1

/// Stands in for minizip's function of that name, which libxlsxwriter calls with zlib's default level and no way to
/// choose another; hands everything on but the level.
@_cdecl("zipOpenNewFileInZip4_64")
public func openPart(
    _ zip: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ info: UnsafeRawPointer?,
    _ localField: UnsafeRawPointer?, _ localCount: UInt32, _ globalField: UnsafeRawPointer?, _ globalCount: UInt32,
    _ comment: UnsafePointer<CChar>?, _ method: Int32, _ level: Int32, _ raw: Int32, _ windowBits: Int32,
    _ memoryLevel: Int32, _ strategy: Int32, _ password: UnsafePointer<CChar>?, _ checksum: UInt,
    _ versionMadeBy: UInt, _ flags: UInt, _ isLarge: Int32
) -> Int32 {
    // Where it is not found the workbook fails, as on a full disk: minizip's ZIP_INTERNALERROR.
    guard let minizipOpenPart else { return -104 }
    return minizipOpenPart(
        zip, name, info, localField, localCount, globalField, globalCount, comment, method, levelOfWorkbooks, raw,
        windowBits, memoryLevel, strategy, password, checksum, versionMadeBy, flags, isLarge)
}
