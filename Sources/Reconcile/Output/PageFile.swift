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
    let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, shownAs: path, to: "create")
    do throws(Failure) {
        try file.write(Array(text.utf8))
        if rename(temporary, path) != 0 { throw .system(errno, cannot: "write", path, otherwise: .inputOutput) }
    } catch {
        unlink(temporary)
        throw error
    }
}

/// Whether the file is a look-up page: it begins like all pages of this program and runs no script.
private func isPage(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    guard let file = try? OpenFile(path, O_RDONLY | O_NOFOLLOW), let beginning = try? file.read(upTo: 4096) else {
        return false
    }
    return isLookupPage(beginning: String(decoding: beginning, as: UTF8.self))
}
