internal import Foundation
internal import Glibc
internal import Reports

/// Creates the folder for a preview. If it exists, deletes an earlier preview in it: a night's files exactly as its
/// SHA256SUMS lists them, and nothing else.
/// - Throws: `Failure` with `cannotCreate` if the folder contains anything else, or a file that was changed.
func makePreviewFolder(_ path: String) throws(Failure) {
    if mkdir(path, 0o700) == 0 { return }
    guard errno == EEXIST, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        throw .system(errno, cannot: "create", path, otherwise: .cannotCreate)
    }
    let sums = contents(of: "SHA256SUMS", in: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let lines = Set(sums.split(separator: "\n").map(String.init))
    for name in names.ordered() where !isOwn(name, in: path, lines) {
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

/// Nil if it is not a regular file.
private func contents(of name: String, in path: String) -> Data? {
    let file = path + "/" + name
    return isFile(file) ? try? Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped) : nil
}
