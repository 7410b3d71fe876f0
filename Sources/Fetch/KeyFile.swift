internal import Glibc

extension PrivateKey {
    /// A key has a few hundred bytes.
    private static let bytesMax = 16 << 10

    /// The key in a file. It is refused where another user could read it, and its contents never appear in a message.
    ///
    /// - Parameter credential: if systemd provides a credential of that name, it replaces the file.
    /// - Throws: `Failure` with `configuration` if the file is missing or holds no such key, with `noPermission` if
    ///   it cannot be read, or others can read it.
    static func read(_ path: String, credential: String, _ variables: [String: String]) throws(Failure) -> PrivateKey {
        let provided = variables["CREDENTIALS_DIRECTORY"].map { $0 + "/" + credential }
        let isCredential = provided.map(isFile) ?? false
        let path = isCredential ? provided ?? path : path
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK, to: "read the key", otherwise: .configuration)
        guard file.status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .configuration, "the key \(quoted(path)) is not a file", remedy: "Name the .p8 file in apple.key.")
        }
        guard isPrivate(file.status, isCredential: isCredential) else {
            throw Failure(
                .noPermission, "other users may read the key \(quoted(path))",
                remedy: "Run: chmod 600 \(display(path)). If others had access to it, revoke it in App Store Connect.")
        }
        guard let contents = try? file.read(upTo: bytesMax + 1), contents.count <= bytesMax,
            let key = PrivateKey(pem: contents)
        else {
            throw Failure(
                .configuration, "\(quoted(path)) is not a private key of Apple's (P-256, .p8)",
                remedy: "Name the file as it was downloaded from App Store Connect.")
        }
        return key
    }

    /// Nobody but its owner has access. A credential belongs to systemd, which put it there for this service alone, and
    /// lets this service's user read it through an access list; the mask of that list appears as the group's bits.
    private static func isPrivate(_ status: stat, isCredential: Bool) -> Bool {
        if isCredential { return status.st_mode & 0o007 == 0 }
        return status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    }
}
