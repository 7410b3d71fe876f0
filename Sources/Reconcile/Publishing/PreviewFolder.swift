internal import Digest
internal import Foundation
internal import Glibc
internal import Reports

/// Makes a preview's folder, or empties it of an earlier preview: a night's files as its SHA256SUMS has them, and nothing
/// else.
/// - Throws: `Failure` with `cannotCreate` where it holds anything else, or a preview that somebody has worked in.
func makePreviewFolder(_ path: String) throws(Failure) {
    if mkdir(path, 0o700) == 0 { return }
    guard errno == EEXIST, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        throw .system(errno, cannot: "create", path, otherwise: .cannotCreate)
    }
    let sums = contents(of: "SHA256SUMS", in: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let lines = Set(sums.split(separator: "\n").map(String.init))
    for name in names.sorted() where !isOwn(name, in: path, lines) {
        throw Failure(
            .cannotCreate, "\(quoted(path)) contains \(quoted(name)), which is not part of a preview or was changed",
            remedy: "Name another folder, or an empty one.")
    }
    for name in names {
        guard unlink(path + "/" + name) == 0 else {
            throw .system(errno, cannot: "replace", path + "/" + name, otherwise: .cannotCreate)
        }
    }
}

private func isOwn(_ name: String, in path: String, _ sums: Set<String>) -> Bool {
    guard nightFileNames.contains(name), let content = contents(of: name, in: path) else { return false }
    if name == "SHA256SUMS" { return true }
    return sums.contains(content.withUnsafeBytes { SHA256.digest(of: $0) }.hex + "  " + name)
}

/// Nil for what is no file.
private func contents(of name: String, in path: String) -> Data? {
    let file = path + "/" + name
    return isFile(file) ? try? Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped) : nil
}
