internal import Fetch
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
        if proven.isEmpty { return .apple(id, .unknown) }
        let file = try DeskFile.locked("apple", at: now, configuration) { _ in }
        let answer = Question(answer: proven.map(\.id.text), at: now, by: user, id: id)
        try file.append([answer.recordText], isDurable: true)
        return .apple(id, .known(proven))
    }

    /// A question, or Apple's answer to it.
    private struct Question: MemberRecord {
        /// The transactions that Apple proved; nil for a question.
        var answer: [String]?
        var at: Instant
        var by, id: String

        static var blank: Self { Self(at: .absent, by: "", id: "") }

        mutating func describe(_ members: inout Members) {
            members.value("answer", &answer)
            members.value("at", time: &at)
            members.value("by", &by)
            members.value("id", &id)
        }
    }

    private func questions() throws -> [Question] { try DeskFile.lines(of: "apple", configuration) { _ in } }

    /// What Apple answered about ids on the page, by id.
    func appleAnswers() throws -> [String: DeskPage.AskedApple] {
        try questions().reduce(into: [:]) { known, question in
            guard let answer = question.answer else { return }
            known[question.id] = DeskPage.AskedApple(by: question.by, at: question.at, transactions: answer)
        }
    }

    /// Puts the question on record; false if the user asked too often within the last hour.
    private func noteQuestion(_ id: String, by user: String, now: Instant) throws -> Bool {
        let file = try DeskFile.locked("apple", at: now, configuration) { _ in }
        let hour = now + .hours(-1)
        let recent = try questions().count { question in
            question.by == user && question.answer == nil && question.at > hour
        }
        if recent >= configuration.desk.asksPerHour { return false }
        try file.append([Question(at: now, by: user, id: id).recordText], isDurable: true)
        return true
    }
}
