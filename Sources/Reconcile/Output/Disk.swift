internal import Glibc

/// Waits until what was written into the file or folder is on the disk.
func sync(_ path: String) throws(Failure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(errno, cannot: "open", path, otherwise: .inputOutput) }
    defer { close(descriptor) }
    // A failed fsync is never retried: what it failed to write may be gone.
    guard fsync(descriptor) == 0 else { throw .system(errno, cannot: "sync", path, otherwise: .inputOutput) }
}

/// Creates an empty file that nobody else may read, whatever the umask; never one that exists, never through a link.
func createFile(_ path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor < 0, errno == EEXIST {
        throw Failure(.cannotCreate, "\(quoted(path)) exists already", remedy: "Remove it, or name another file.")
    }
    guard descriptor >= 0 else { throw .system(errno, cannot: "create", path, otherwise: .cannotCreate) }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else {
        throw .system(errno, cannot: "change the permissions of", path, otherwise: .cannotCreate)
    }
}

/// Whether it is a file, or a link to one: no folder, and no pipe, in which a reader would wait for ever.
func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether anything is there, a link to nowhere too.
func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}
