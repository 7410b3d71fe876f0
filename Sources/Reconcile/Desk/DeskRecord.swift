internal import Base
internal import Console
internal import Domain
internal import Engine
internal import Settings

/// The record of look-ups on the desk's page: a JSON line for each, in a file for each month.
/// See docs/spec/interfaces.md#desk.
struct DeskRecord {
    let configuration: Configuration

    /// Adds a line for each answer.
    ///
    /// - Throws: `Failure` if the file cannot be written.
    func add(_ answers: [LookupAnswer], user: String?, at now: Instant) throws(Failure) {
        do {
            try DeskFile("audit-\(now.text.prefix(7)).jsonl", configuration)
                .append(answers.map { line($0, user: user, at: now) }, isDurable: false)
        } catch {
            var failure = error
            failure.message = "look-ups are recorded, and the record cannot be written: " + failure.message
            throw failure
        }
    }

    private func line(_ answer: LookupAnswer, user: String?, at now: Instant) -> String {
        JSON.object([
            "at": .text(now.text), "user": JSON(user), "query": .text(answer.identifier),
            "found": JSON(answer.subjects.count + answer.subjectsMore),
            "verdicts": .list(answer.subjects.map { .text($0.facts.verdict.rawValue) }),
        ]).line
    }
}
