import Foundation
import Testing

/// docs/use/operations.md: the commands in its blocks run as printed, for a package and from the sources.
///
/// `reconcile` is the program and /srv/reconcile a sample's folder. Only what root alone can do is a script that looks at
/// its arguments.
@Test func theCommandsOfTheRunbookRunAsPrinted() throws {
    let folder = TestFolder()
    let repository = Program.repository
    let page = try String(contentsOfFile: repository + "/docs/use/operations.md", encoding: .utf8)
    let blocks = page.matches(of: /\n *```\n((?:[^`]|`[^`])*?)\n *```/).map { String($0.output.1) }
    let lines = blocks.flatMap { $0.split(separator: "\n") }.map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.hasPrefix("dingtalk ") && !$0.hasPrefix("feishu ") }
    #expect(lines.count > 25)

    try FileManager.default.createDirectory(atPath: folder.path + "/bin", withIntermediateDirectories: false)
    func script(_ name: String, _ body: String) throws {
        try folder.write("#!/bin/bash\n\(body)\n", to: "bin/" + name)
        chmod(folder.path + "/bin/" + name, 0o755)
    }
    // Root's commands: as this user, without changing the machine.
    try script("sudo", "[ \"$1\" != -u ] || shift 2\nexec \"$@\"")
    try script("crontab", "[ \"$1 $2\" = '-u reconcile' ] && /usr/bin/test -s \"$3\"")
    try script(
        "install",
        "case ${@: -1} in \(folder.path)/*) exec /usr/bin/install \"$@\";; esac; "
            + "for file; do case $file in -*|644|/*/) ;; /etc/*) ;; *) [ -e \"$file\" ] || exit 1;; esac; done")
    try script(
        "systemctl",
        "cd \(folder.path)/units; case $1 in enable) for unit in ${@:3}; do [ -e ${unit/game/} ] || [ -e ${unit/words/} ] || exit 1; done;; daemon-reload) ;; *) exit 1;; esac"
    )
    for name in ["apt", "useradd", "setfacl", "git"] { try script(name, "exit 0") }
    // The script of drop-ins has a test of its own.
    try script("sh", "grep -q '^systemctl daemon-reload$'")

    #expect(try Program.shell("cron/units \(folder.path)/units", in: repository).code == 0)
    #expect(
        try Program.shell(
            "'\(Program.path)' demo srv --orders 300 && cp srv/out/latest/exceptions.csv decisions.csv", in: folder.path
        ).code == 0)
    _ = try Program.shell(
        "sed -i '2s/,\\([^,]*,,\\)$/decided,\\1/' decisions.csv; ln -s '\(Program.path)' bin/reconcile", in: folder.path
    )
    for line in lines where !line.contains("git clone") && line.split(separator: " ").first != "scripts/build" {
        if line.contains(" reconcile init /srv/reconcile") && !line.contains("--systemd") { continue }
        let command = line.replacing("/srv/reconcile", with: folder.path + "/srv")
            .replacing("/usr/share/doc/reconcile/examples/crontab", with: "cron/crontab")
            .replacing("/tmp/preview", with: folder.path + "/preview")
            .replacing("/etc/systemd/system", with: folder.path + "/units")
            .replacing("decisions.csv", with: folder.path + "/decisions.csv")
            .replacing(
                "reconcile nightly --config \(folder.path)/srv/reconcile.json",
                with: "reconcile nightly --date 2025-11-18 --config \(folder.path)/srv/reconcile.json")
        let ended = try Program.shell(
            "set -o pipefail; " + command.replacing(".build/release/reconcile", with: Program.path), in: repository,
            ["PATH": folder.path + "/bin:/usr/bin:/bin:/usr/sbin"])
        // The restored sample has reports of other files; a drill has none.
        #expect(ended.code == 0 || line.contains("check ") && ended.code == 1, "\(line)\n\(ended)")
    }
}
