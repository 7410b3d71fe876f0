import Foundation
internal import Reference
import Testing

/// The records of the desk's work and decisions on a disk that fails, is full, or loses its writer in the middle of a call.
@Suite struct DeskFaultTests {
    private static let transaction = "2000000123456789"

    /// A page under which one call that changes the desk's folder fails.
    private func press(_ form: String, in desk: DeskFolder, _ mode: String, _ point: String) throws -> Ended {
        let faults = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path + "/Faults"
        return try Program.shell(
            """
            printf %s '\(form)' | '\(faults)' -r "$PWD/desk" -l calls \(mode) \(point) $R desk --config reconcile.json
            """, in: desk.folder.path,
            [
                "REQUEST_METHOD": "POST", "CONTENT_TYPE": "application/x-www-form-urlencoded",
                "CONTENT_LENGTH": String(form.utf8.count), "REMOTE_USER": "li", "HTTP_HOST": "desk",
                "HTTP_ORIGIN": "https://desk", "RECONCILE_DESK_LIMITED": "1", "HTTP_ACCEPT_LANGUAGE": "en",
            ])
    }

    /// What the page says is recorded is on the disk. What it does not say costs nothing that was there before, and the
    /// same button records it once the disk is well.
    @Test(arguments: ["work", "decisions"])
    func whatIsSaidToBeRecordedIs(record: String) throws {
        let desk = try DeskFolder.lostOrder()
        try desk.configure(settings: #"desk: { mayWork: ["li", "wang"], mayWaive: ["li", "wang"] },"#)
        let exception = try #require(try desk.subjects(Self.transaction)[0]["exception"] as? [String: Any])
        let id = try #require(exception["id"] as? String)
        let (form, other) =
            record == "work"
            ? ("exception=\(id)&work=take&comment=mine", "exception=\(id)&work=comment&comment=before")
            : ("decide=waive&key=\(id)&note=mine", "decide=waive&key=\(id)&note=before&withdraw=1&reason=mistake")
        _ = try desk.web("id=1&" + (record == "work" ? other : form), by: "li")
        if record == "decisions" { _ = try desk.web("id=1&" + other, by: "li") }
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: desk.folder.path + "/desk").first {
                $0.hasPrefix(record + "-")
            })
        let before = try desk.folder.read("desk/" + name)
        // The clock of the process is another month's.
        func now() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: desk.folder.path + "/desk").filter {
                $0.hasPrefix(record + "-") && $0.hasSuffix(".jsonl") && $0 != name
            }.flatMap { try desk.folder.read("desk/" + $0).split(separator: "\n").map { String($0) } }
        }
        func reset() throws { _ = try Program.shell("rm -rf desk; cp -a kept desk", in: desk.folder.path) }
        _ = try Program.shell("cp -a desk kept", in: desk.folder.path)
        #expect(try press("id=1&" + form, in: desk, "none", "0").output.contains("class=\"good\""))
        let calls = try desk.folder.read("calls").split(separator: "\n").dropLast().map { String($0) }
        let lines = try now()
        #expect(
            lines.count == (record == "work" ? 2 : 1) && calls.contains { $0.contains("sync") && $0.contains(record) })
        for mode in ["tear", "eio"] + Array(["enospc", "enospc+", "short", "kill"].prefix(Trials.count(1, long: 4))) {
            // In the suite, all calls of the record and a quarter of the others.
            for (index, call) in calls.enumerated()
            where Trials.areLong || call.contains(record) || index % 4 == 0 {
                try reset()
                let point = "\(mode) \(call)"
                // With "+", all calls from that one on fail.
                let number = "\(index + 1)" + mode.drop { $0 != "+" }
                let page = try press("id=1&" + form, in: desk, mode.replacing("+", with: ""), number).output
                let said = page.contains("class=\"good\"")
                #expect(try desk.folder.read("desk/" + name) == before, "\(point)")
                // The time in them differs.
                if said { #expect(try now().count == lines.count, "\(point)") }
                if mode != "short", call.contains(record) { #expect(!said, "\(point)") }
                // What is recorded is told, even where the look-up below it cannot be put on record.
                if mode == "enospc" {
                    #expect(try said || now().isEmpty && page.contains("disk may be full"), "\(point): \(page)")
                }
                // After a failed sync, a later one proves nothing: the line must be written again.
                if mode == "eio", call.contains("sync"), call.contains(record) {
                    #expect(try now().isEmpty, "\(point)")
                }
                #expect(try press("id=1&" + form, in: desk, "none", "0").output.contains("class=\"good\""), "\(point)")
                let again = try desk.folder.read("calls")
                #expect(again.contains("sync") && again.contains(record), "\(point): \(again)")
                #expect(try now().count == lines.count, "\(point)")
            }
        }
    }
}
