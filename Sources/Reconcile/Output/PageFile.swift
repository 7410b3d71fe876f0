internal import Base
internal import Console
internal import Glibc
internal import Reports

/// Writes a page that only its owner can read. An earlier page of that name is replaced as a whole.
/// - Throws: `Failure` with `cannotCreate` if a file of that name is not a look-up page.
func writePage(_ text: String, to path: String) throws(Failure) {
    if exists(path), !isPage(path) {
        throw Failure(
            .cannotCreate, "\(quoted(path)) exists and is not a look-up page",
            remedy: "Name another file; only an earlier look-up page is replaced.")
    }
    // A new file with a name of its own, because an existing file may belong to another user.
    let temporary = path + ".\(getpid()).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(errno, cannot: "create", path, otherwise: .cannotCreate) }
    let error = writeAll(Array(text.utf8), to: descriptor)
    close(descriptor)
    if error != 0 || rename(temporary, path) != 0 {
        let code = error != 0 ? error : errno
        unlink(temporary)
        throw .system(code, cannot: "write", path, otherwise: .inputOutput)
    }
}

/// Whether the file is a look-up page: it begins like all pages of this program and runs no script.
private func isPage(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return isLookupPage(beginning: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
}
