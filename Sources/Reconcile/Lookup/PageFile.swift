internal import Glibc

/// Writes a page for its owner alone; a page of that name is replaced as a whole.
func writePage(_ text: String, to path: String) throws(Failure) {
    let temporary = path + ".new"
    unlink(temporary)
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
