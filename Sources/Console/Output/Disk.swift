public import Foundation
internal import Glibc

/// Waits until the content of the file or folder is on disk.
public func sync(_ path: String) throws(Failure) {
    try OpenFile(path, O_RDONLY, otherwise: .inputOutput).sync()
}

/// Creates an empty file that only its owner may read, regardless of the umask. It must not exist, and links are not
/// followed.
public func createFile(_ path: String) throws(Failure) {
    if exists(path) {
        throw Failure(.cannotCreate, "\(quoted(path)) exists already", remedy: "Remove it, or name another file.")
    }
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, to: "create")
    guard fchmod(file.descriptor, 0o600) == 0 else {
        throw .system(errno, cannot: "change the permissions of", path, otherwise: .cannotCreate)
    }
}

public func contents(of path: String) throws(Failure) -> Data {
    guard let contents = FileManager.default.contents(atPath: path) else {
        throw .system(errno == 0 ? EIO : errno, cannot: "read", path, otherwise: .inputOutput)
    }
    return contents
}

/// Whether the path leads to a regular file. Not to a folder, or to a pipe, on which a reader would wait for ever.
public func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether anything exists at the path, even a dangling link.
public func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
}
