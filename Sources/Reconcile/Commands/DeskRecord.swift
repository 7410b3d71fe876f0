internal import Console
internal import Domain
internal import Glibc
internal import JSON
internal import ReportData
internal import Text

/// The record of look-ups on the desk's page: a JSON line for each, in a file for each month.
/// See docs/spec/interfaces.md#desk.
struct DeskRecord {
    /// The folder of the files, absolute.
    let folder: String
    /// The group that may read them; nil for the owner only.
    let group: String?

    /// Adds a line for each answer. The lines of a request are written by one call, so that requests at the same time
    /// do not mix their lines.
    ///
    /// - Throws: `Failure` if the file cannot be written.
    func add(_ answers: [LookupAnswer], user: String?, at now: Instant) throws(Failure) {
        let lines = answers.map { line($0, user: user, at: now) + "\n" }.joined()
        let path = folder + "/audit-" + now.text.prefix(7) + ".jsonl"
        let mode: mode_t = group == nil ? 0o600 : 0o660
        if mkdir(folder, group == nil ? 0o700 : 0o2770) != 0, errno != EEXIST { throw refusal(folder, "create") }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw refusal(path, "open") }
        defer { close(descriptor) }
        // The process's mask takes the group's permissions away from a new file. Only the file's owner may give them.
        if group != nil { fchmod(descriptor, mode) }
        let error = writeAll(Array(lines.utf8), to: descriptor)
        if error != 0 { throw .system(error, cannot: "write", path, otherwise: .inputOutput) }
    }

    private func refusal(_ path: String, _ task: String) -> Failure {
        var failure = Failure.system(errno, cannot: task, path, otherwise: .cannotCreate)
        failure.message = "look-ups are recorded, and the record cannot be written: " + failure.message
        failure.remedy = "Let the web server's user write the folder \(quoted(folder))."
        return failure
    }

    private func line(_ answer: LookupAnswer, user: String?, at now: Instant) -> String {
        JSON.object([
            "at": .text(now.text), "user": JSON(user), "query": .text(answer.identifier),
            "found": JSON(answer.subjects.count + answer.subjectsMore),
            "verdicts": .list(answer.subjects.map { .text($0.facts.verdict.rawValue) }),
        ]).line
    }
}
