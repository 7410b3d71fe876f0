internal import AppleAPI
internal import Base
internal import Console
internal import Glibc
internal import Settings

/// The file of a private key. It is refused where another user could read it, and its contents never appear in a message.
struct KeyFile {
    private let path: String
    /// Whether systemd put the file there for this service alone.
    private let isCredential: Bool

    /// - Parameter credential: if systemd provides a credential of that name, it replaces the file.
    init(path: String, credential: String, variables: [String: String]) {
        let provided = variables["CREDENTIALS_DIRECTORY"].map { $0 + "/" + credential }
        isCredential = provided.map(isFile) ?? false
        self.path = isCredential ? provided ?? path : path
    }

    /// A key has a few hundred bytes.
    private static let bytesMax = 16 << 10

    /// - Throws: `Failure` with `configuration` if the file is missing or holds no such key, with `noPermission` if
    ///   it cannot be read, or others can read it.
    func key() throws(Failure) -> PrivateKey {
        let file = try OpenFile(path, O_RDONLY | O_NONBLOCK, to: "read the key", otherwise: .configuration)
        guard file.status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .configuration, "the key \(quoted(path)) is not a file", remedy: "Name the .p8 file in apple.key.")
        }
        guard isPrivate(file.status) else {
            throw Failure(
                .noPermission, "other users may read the key \(quoted(path))",
                remedy: "Run: chmod 600 \(display(path)). If others had access to it, revoke it in App Store Connect.")
        }
        guard let contents = try? file.read(upTo: Self.bytesMax + 1), contents.count <= Self.bytesMax,
            let key = PrivateKey(pem: contents)
        else {
            throw Failure(
                .configuration, "\(quoted(path)) is not a private key of Apple's (P-256, .p8)",
                remedy: "Name the file as it was downloaded from App Store Connect.")
        }
        return key
    }

    /// Nobody but its owner has access. A credential belongs to systemd, which lets this service's user read it through
    /// an access list; the mask of that list appears as the group's bits.
    private func isPrivate(_ status: stat) -> Bool {
        if isCredential { return status.st_mode & 0o007 == 0 }
        return status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
    }
}
