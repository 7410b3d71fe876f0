internal import AppStore
internal import Glibc
internal import Reports

/// Checks what a night will need when no operator is present.
extension Check {
    mutating func checkSetUp() throws(Interrupted) {
        try examine("feeds") { try $0.checkFeeds() }
        checkUnsigned()
        try examine("roots") { try $0.checkRoots() }
        let texts = "texts and columns" + (configuration.templates.map { " of \($0)" } ?? "")
        try examine(texts) {
            _ = try Texts(language: $0.configuration.language, folder: $0.configuration.templates)
            $0.findings.note(texts)
        }
        checkBundles()
        checkGraces()
        checkSharedAccounts()
        checkGroup()
        for path in [configuration.ledger, configuration.output] { checkPermissions(of: path) }
        checkSpace()
    }

    /// The root certificates that a night would trust: Apple's own and those of the configuration.
    private mutating func checkRoots() throws {
        let now = context.clock()
        for root in TrustedRoot.expiries(further: try configuration.rootCertificates()) {
            guard let last = root.last else { continue }
            let remedy =
                "Records signed after that date cannot be verified under it. Install a newer version, or renew it in "
                + "trustedRoots."
            findings.note(
                "root \(root.name), valid to \(last.text)", now > last ? "it has expired. " + remedy : nil)
        }
    }

    /// The bundle id that `reconcile init` writes is only an example.
    private mutating func checkBundles() {
        guard configuration.policy.bundles.contains("com.example.game") else { return }
        findings.doubt(
            "app.bundleIDs",
            "com.example.game is the example that `reconcile init` writes. Write the app's own bundle id.")
    }

    /// What is lost stays unseen until its grace has passed.
    private mutating func checkGraces() {
        let policy = configuration.policy
        let graces = [
            ("credit", policy.graceCredit), ("refund", policy.graceRefund), ("receipt", policy.graceReceipt),
            ("apple", policy.graceApple),
        ]
        for (name, grace) in graces where grace > .days(7) {
            findings.doubt(
                "grace.\(name)", "it is longer than a week. No loss is reported until it has passed.")
        }
    }

    /// In the books, what two roles move in one account cannot be told apart.
    private mutating func checkSharedAccounts() {
        let accounts = configuration.finance.accounts
        let roles = Dictionary(grouping: AccountRole.allCases) { accounts[$0] ?? $0.rawValue }
        for (name, own) in roles.ordered() where own.count > 1 {
            let list = own.map(\.rawValue).joined(separator: " and ")
            findings.doubt(
                "finance.accounts",
                "\(list) share the account \(quoted(name)): the books cannot tell them apart. Give each role its own account."
            )
        }
    }

    private mutating func checkGroup() {
        guard let group = configuration.group else { return }
        let isKnown = getgrnam(group) != nil
        findings.note("group \(group)", isKnown ? nil : "the group does not exist. Correct `group`, or create it.")
    }

    /// Whether only the right users can read the files that contain customers' purchases.
    private mutating func checkPermissions(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        let forbidden: mode_t = configuration.group == nil ? 0o077 : 0o027
        var problem: String?
        if status.st_mode & forbidden != 0 { problem = "other users have access to it. Run: chmod o-rwx,g-w \(path)" }
        if status.st_uid != geteuid() {
            problem = "it belongs to another user (\(status.st_uid)). Run as that user, or: chown \(geteuid()) \(path)"
        } else if access(path, W_OK) != 0 {
            problem = "it is not writable. Run: chmod u+w \(path)"
        }
        findings.note("permissions of \(path)", problem)
    }

    /// A night writes its changes twice (to the log, then to the ledger), and its reports.
    private mutating func checkSpace() {
        for path in Set([configuration.ledger, configuration.output]).ordered() {
            var (disk, file) = (statvfs(), stat())
            guard statvfs(path, &disk) == 0 || statvfs(folderOf(path), &disk) == 0 else { continue }
            let size = stat(configuration.ledger, &file) == 0 ? Int(file.st_size) : 0
            let free = Int(disk.f_bavail) * Int(disk.f_frsize)
            let needed = max(2 * size, 256 << 20)
            let isTight = free < needed
            findings.note(
                "disk space of \(path): \(free >> 20) MiB free",
                isTight ? "a night may need \(needed >> 20) MiB. Free some space." : nil)
            if disk.f_favail == 0, disk.f_files > 0 {
                findings.note(
                    "disk of \(path)",
                    "no more files can be created (no inodes are left). Remove files that are not needed.")
            }
        }
    }
}
