internal import Fetch
internal import Foundation
internal import Reports

/// Questions to Apple from the page. See docs/spec/interfaces.md#desk-apple.
extension DeskApp {
    func mayAskApple(_ user: String?) -> Bool { user.map(configuration.desk.appleAskers.contains) ?? false }

    /// Asks Apple about an id that is not on record, as `reconcile ask` does. The question is on record before it is asked.
    func ask(_ id: String, by user: String, now: Instant, log: Log) throws -> DeskPage.Notice {
        guard DeskPage.canBeAsked(id) else { return .apple(id, .unknown) }
        let ask = try Ask(configuration, now: now, log: log)
        if try !noteQuestion(id, by: user, now: now) {
            return .apple(id, .tooOften(configuration.desk.asksPerHour))
        }
        let answers: [AppleAnswer]
        do {
            answers = try FetchProcess().records(["answers", "--config", configuration.file, "--quiet", "--", id])
        } catch is FetchEnded { return .apple(id, .failed) }
        let taken = try answers.map { try ask.take($0) }
        for line in taken.flatMap(\.lines) { log.notice(line) }
        let proven = taken.flatMap(\.proven)
        return .apple(id, proven.isEmpty ? .unknown : .known(proven))
    }

    private struct Question: Decodable {
        var at: String
        var by: String
    }

    /// Puts the question on record; false if the user asked too often within the last hour.
    private func noteQuestion(_ id: String, by user: String, now: Instant) throws -> Bool {
        let file = try DeskFile.locked("apple", at: now, configuration) { _ in }
        let asked = try DeskFile.lines(of: "apple", configuration) { line in
            try? JSONDecoder().decode(Question.self, from: line)
        } damaged: { _ in
        }
        let hour = now + .hours(-1)
        let recent = asked.count { $0.by == user && (Instant(strict: $0.at) ?? now) > hour }
        if recent >= configuration.desk.asksPerHour { return false }
        let line: JSON = .object(["at": .text(now.text), "by": .text(user), "id": .text(id)])
        try file.append([line.line], isDurable: true)
        return true
    }
}
