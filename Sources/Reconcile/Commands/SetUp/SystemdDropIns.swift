internal import Foundation

/// `reconcile init --systemd`: a script for root's shell that adapts systemd's units to a configuration.
struct SystemdDropIns {
    /// The unit without its type: `reconcile` for /srv/reconcile, else `reconcile@` and the folder's name.
    let unit: String
    let configuration: Configuration
    /// The folder of fetched files; nil if Apple is not asked.
    private let fetchFolder: String?
    /// The folders of the files that commands write, without the part that depends on the date.
    private let commandFolders: [String]

    /// - Throws: `Failure` with `configuration` if the folder's name cannot be that of a unit, or a path not stand in one.
    init(_ configuration: Configuration, now: Instant) throws(Failure) {
        self.configuration = configuration
        fetchFolder = configuration.fetchFolder(now: now)
        commandFolders = configuration.feeds.filter { $0.command != nil }.map { feed in
            folderOf(feed.path.firstRange(of: "{date").map { String(feed.path[..<$0.lowerBound]) } ?? feed.path)
        }
        let name = configuration.folder.split(separator: "/").last.map(String.init) ?? ""
        unit = configuration.folder == "/srv/reconcile" ? "reconcile" : "reconcile@" + name
        let allowed = CharacterSet(charactersIn: "._-").union(.alphanumerics)
        guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.isASCII && allowed.contains($0) }) else {
            throw Failure(
                .configuration, "a unit cannot be named after the folder \(quoted(name))",
                remedy: "Rename it: letters, digits, points, hyphens and underscores.")
        }
        let key = configuration.apple?.key.file
        let paths = [configuration.file, configuration.ledger, configuration.output, fetchFolder, key].compactMap(
            \.self)
        for path in paths + commandFolders
        where path.unicodeScalars.contains(where: { $0.value < 32 || "\"'\\$%".unicodeScalars.contains($0) }) {
            throw Failure(.configuration, "\(quoted(path)) cannot stand in a unit", remedy: "Choose another path.")
        }
    }

    /// What the night writes: configuration, log and lock, the ledger and its neighbours, the reports. And what a fetch does.
    private var writable: [String] {
        func plain(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
        func parent(_ path: String) -> String { plain(path).split(separator: "/").dropLast().map { "/" + $0 }.joined() }
        var paths: [String] = []
        let all = [plain(configuration.folder), parent(configuration.ledger), plain(configuration.output)]
        for path in all + ([fetchFolder].compactMap(\.self) + commandFolders).map(plain)
        where !paths.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) {
            paths.append(path)
        }
        return paths
    }

    var script: String {
        """
        # Adapts systemd's units to \(configuration.file). Run as root, for instance through sudo sh.
        set -e
        \(dropIns(of: unit, at: "*-*-* 03:37:00"))\(keeping)\(collecting)\(fetching)systemctl daemon-reload
        # Then: systemctl enable --now \(units.map { $0 + ".timer" }.joined(separator: " "))
        # For RECONCILE_METRICS=DIR: setfacl -m u:reconcile:rwx DIR, and if it is another than Debian's, a line
        # ReadWritePaths=DIR in the first file.

        """
    }

    private var units: [String] {
        [unit, unit(of: "backup"), unit(of: "check")] + (commandFolders.isEmpty ? [] : [self.unit(of: "collect")])
            + (configuration.apple == nil ? [] : [self.unit(of: "fetch")])
    }

    private func unit(of command: String) -> String {
        unit.replacing("reconcile", with: "reconcile-" + command, maxReplacements: 1)
    }

    private var keeping: String {
        dropIns(of: unit(of: "backup"), at: "*-*-* 06:47:00") + dropIns(of: unit(of: "check"), at: "Sun *-*-* 07:17:00")
    }

    private var collecting: String {
        commandFolders.isEmpty ? "" : dropIns(of: unit(of: "collect"), at: "*-*-* 03:22:00")
    }

    /// The unit that asks Apple has the key as a credential.
    private var fetching: String {
        guard let apple = configuration.apple else { return "" }
        let credential = "LoadCredential=\nLoadCredential=apple-key:\(apple.key.file)\n"
        return dropIns(of: unit(of: "fetch"), at: "*-*-* 03:07:00", further: credential)
    }

    private func dropIns(of unit: String, at time: String, further: String = "") -> String {
        let folder = "/etc/systemd/system"
        return """
            mkdir -p \(folder)/\(unit).service.d \(folder)/\(unit).timer.d
            cat >\(folder)/\(unit).service.d/reconcile.conf <<'END'
            [Service]
            Environment="RECONCILE_CONFIG=\(configuration.file)"
            \(further)\(writable.map { "ReadWritePaths=\"-\($0)\"" }.joined(separator: "\n"))
            END
            cat >\(folder)/\(unit).timer.d/reconcile.conf <<'END'
            [Timer]
            OnCalendar=
            OnCalendar=\(time) \(configuration.policy.zone.name)
            END

            """
    }
}
