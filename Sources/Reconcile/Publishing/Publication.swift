internal import Foundation
internal import Glibc
internal import Ledger

/// The output folder: complete report folders under `.nights`, and links to them, each replaced by one rename.
/// See docs/spec/interfaces.md#publication.
struct Publication {
    let output: String
    /// The group that may read. Nil for none.
    private let group: gid_t?
    /// Folders that this run created, innermost last.
    private var made: [String] = []

    var fileMode: mode_t { group == nil ? 0o600 : 0o640 }
    private var folderMode: mode_t { group == nil ? 0o700 : 0o750 }

    /// Creates the output folder if it does not exist.
    /// - Throws: `Failure` with `configuration` if the group does not exist, else with `cannotCreate` or
    ///   `noPermission`.
    init(output: String, group: String?) throws(Failure) {
        self.output = output
        self.group = try group.map { name throws(Failure) in
            guard let entry = getgrnam(name) else {
                throw Failure(.configuration, "the group \(quoted(name)) does not exist", remedy: "Correct `group`.")
            }
            return entry.pointee.gr_gid
        }
        do {
            try makeFolders()
        } catch {
            removeMade()
            throw error
        }
    }

    private mutating func makeFolders() throws(Failure) {
        for path in [output, output + "/.nights"] {
            if mkdir(path, folderMode) == 0 {
                made.append(path)
            } else if errno != EEXIST {
                throw .system(errno, cannot: "create", path, otherwise: .cannotCreate)
            }
            var status = stat()
            lstat(path, &status)
            let isFolder = status.st_mode & S_IFMT == S_IFDIR || path == output
            guard isFolder else {
                throw Failure(.cannotCreate, "\(quoted(path)) is not a folder", remedy: "Remove it and run again.")
            }
            try permit(path, folderMode)
        }
    }

    /// Whether the output folder contains the reports of a night.
    static func hasPublished(in output: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []
        return names.contains { name in
            let isNight = name == "latest" || BusinessDate(name) != nil
            return isNight && (try? FileManager.default.destinationOfSymbolicLink(atPath: output + "/" + name)) != nil
        }
    }

    /// What is wrong if `hasPublished` is true and the ledger contains no night.
    static func lostLedger(_ configuration: Configuration) -> String {
        "\(quoted(configuration.output)) contains reports, but the ledger \(quoted(configuration.ledger)) contains no nights"
    }

    private func permit(_ path: String, _ mode: mode_t) throws(Failure) {
        guard chmod(path, mode) == 0, group == nil || chown(path, uid_t.max, group!) == 0 else {
            throw .system(errno, cannot: "change the permissions of", path, otherwise: .cannotCreate)
        }
    }

    /// Lets the group read a file outside the output folder, if it exists.
    func permitFile(_ path: String) throws(Failure) {
        if access(path, F_OK) == 0 { try permit(path, fileMode) }
    }

    /// Removes the folders that this run created, unless they contain something by now.
    mutating func removeMade() {
        for path in made.reversed() { rmdir(path) }
        made = []
    }

    /// Creates an empty folder for the reports of a date or month. Returns its name within the output folder.
    func prepare(_ label: String) throws(Failure) -> String {
        var number = 1
        while true {
            let name = ".nights/\(label)-\(number)"
            if mkdir(output + "/" + name, folderMode) == 0 {
                try permit(output + "/" + name, folderMode)
                return name
            }
            guard errno == EEXIST else {
                throw .system(errno, cannot: "create", output + "/" + name, otherwise: .cannotCreate)
            }
            number += 1
        }
    }

    /// Syncs the name of the finished folder, and returns the SHA-256 of its SHA256SUMS.
    func seal(_ name: String) throws(Failure) -> String {
        let path = output + "/" + name
        if group != nil {
            for file in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
                try permit(path + "/" + file, fileMode)
            }
        }
        try sync(output + "/.nights")
        return try digest(of: name)
    }

    /// The SHA-256 of a folder's SHA256SUMS.
    func digest(of name: String) throws(Failure) -> String {
        let path = output + "/" + name
        guard let sums = FileManager.default.contents(atPath: path + "/SHA256SUMS") else {
            throw Failure(
                .inputOutput, "cannot read \(quoted(path))/SHA256SUMS", remedy: "Check the disk and run again.")
        }
        return sums.withUnsafeBytes { SHA256.digest(of: $0) }.hex
    }

    /// Points `label` to the folder `name`, and `latest` as well if this is the newest night; then removes the folder
    /// that `label` pointed to before.
    func publish(_ name: String, as label: String, isLatest: Bool) throws(Failure) {
        let before = target(of: label)
        try link(label, to: name)
        if isLatest { try link("latest", to: label) }
        try sync(output)
        if let before, before != name, before.hasPrefix(".nights/") { remove(before) }
    }

    /// Removes the reports of a date: first the link, so that no reader sees half a folder.
    func withdraw(_ date: BusinessDate) throws(Failure) {
        guard let folder = target(of: date.text) else { return }
        guard unlink(output + "/" + date.text) == 0 else {
            throw .system(errno, cannot: "remove", output + "/" + date.text, otherwise: .inputOutput)
        }
        try sync(output)
        if folder.hasPrefix(".nights/") { remove(folder) }
    }

    /// Points `latest` to `date`, if it does not already.
    func publishLatest(_ date: BusinessDate) throws(Failure) {
        if target(of: "latest") == date.text { return }
        try link("latest", to: date.text)
        try sync(output)
    }

    /// Removes what interrupted runs left behind.
    func sweep(keepingThoseOf ledger: Ledger) throws {
        if try ledger.isEmpty { return sweep(keeping: []) }
        sweep(keeping: Set(try ledger.folders().map(\.folder) + ledger.monthSeals().map(\.folder)))
    }

    /// Removes what interrupted runs left behind: folders to which no link points and which the ledger does not name.
    /// - Parameter recorded: the folders that the ledger names.
    func sweep(keeping recorded: Set<String>) {
        // If the links could not be read, every folder would look abandoned.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: output) else { return }
        var kept = recorded
        for name in names {
            if name.hasPrefix("."), name.hasSuffix(".new") {
                unlink(output + "/" + name)
            } else if let target = target(of: name) {
                kept.insert(target)
            } else if errno != EINVAL {  // readlink: no link
                return
            }
        }
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: output + "/.nights")) ?? [] {
            if !kept.contains(".nights/" + folder) { remove(".nights/" + folder) }
        }
    }

    /// Removes a folder of reports. If that fails, a later run sweeps it.
    func remove(_ name: String) { try? FileManager.default.removeItem(atPath: output + "/" + name) }

    /// The target of the link `name`. Nil if the link does not exist.
    func target(of name: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(output + "/" + name, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    func exists(_ name: String) -> Bool { Console.exists(output + "/" + name) }

    private func link(_ name: String, to target: String) throws(Failure) {
        let temporary = output + "/." + name + ".new"
        unlink(temporary)
        guard symlink(target, temporary) == 0, rename(temporary, output + "/" + name) == 0 else {
            throw .system(errno, cannot: "link", output + "/" + name, otherwise: .cannotCreate)
        }
    }
}
