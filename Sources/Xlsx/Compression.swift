internal import Glibc

/// The type of minizip's function that starts an entry of a zip file. minizip/zip.h.
private typealias OpenPart =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafeRawPointer?, UInt32,
        UnsafeRawPointer?, UInt32, UnsafePointer<CChar>?, Int32, Int32, Int32, Int32, Int32, Int32,
        UnsafePointer<CChar>?, UInt, UInt, UInt, Int32
    ) -> Int32

// The next definition of the symbol after ours (RTLD_NEXT): minizip's own.
private let minizipOpenPart = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "zipOpenNewFileInZip4_64")
    .map { unsafeBitCast($0, to: OpenPart.self) }

/// zlib's Z_BEST_SPEED. At the default level, half of the time for a large workbook was compression. This level takes a
/// quarter of it and makes files a fifth larger.
private let levelOfWorkbooks: Int32 = 1

/// Replaces minizip's function of the same name and passes everything on except the compression level.
///
/// Why it stays: without it a night of 1 M orders with nothing kept took 13 % longer (report 1.04 → 1.60 s; medians of
/// three runs in turn), more than the budget in docs/build/performance.md leaves. A test checks that it takes effect.
///
/// libxlsxwriter always calls it with zlib's default level and has no setting for another. The dynamic linker resolves
/// libxlsxwriter's call to this function, because the executable's symbols come first; the original is found with
/// `dlsym`. The parameters must match minizip's declaration exactly.
@_cdecl("zipOpenNewFileInZip4_64")
public func openPart(
    _ zip: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ info: UnsafeRawPointer?,
    _ localField: UnsafeRawPointer?, _ localCount: UInt32, _ globalField: UnsafeRawPointer?, _ globalCount: UInt32,
    _ comment: UnsafePointer<CChar>?, _ method: Int32, _ level: Int32, _ raw: Int32, _ windowBits: Int32,
    _ memoryLevel: Int32, _ strategy: Int32, _ password: UnsafePointer<CChar>?, _ checksum: UInt,
    _ versionMadeBy: UInt, _ flags: UInt, _ isLarge: Int32
) -> Int32 {
    // If the original is not found, writing the workbook fails, as with a full disk: minizip's ZIP_INTERNALERROR.
    guard let minizipOpenPart else { return -104 }
    return minizipOpenPart(
        zip, name, info, localField, localCount, globalField, globalCount, comment, method, levelOfWorkbooks, raw,
        windowBits, memoryLevel, strategy, password, checksum, versionMadeBy, flags, isLarge)
}
