/// One step of the desk's work on an exception. See docs/spec/interfaces.md#work.
public struct WorkStep: Hashable, Sendable {
    public enum Kind: String, Sendable {
        case take
        case handOver = "hand_over"
        case giveBack = "give_back"
        case comment, ticket
    }
    public var at: Instant
    public var by: String
    public var exception: ExceptionID
    public var kind: Kind
    /// A comment, a ticket's number, or to whom the case is handed over; nil for the other kinds.
    public var text: String?

    public init(_ kind: Kind, _ exception: ExceptionID, by: String, at: Instant, text: String? = nil) {
        (self.at, self.by, self.exception, self.kind, self.text) = (at, by, exception, kind, text)
    }

    /// How many characters a comment may have, and how many a ticket's number.
    public static let (commentMax, ticketMax) = (2000, 100)
}

extension WorkStep: MemberRecord {
    public static var blank: Self { Self(.comment, .least, by: "", at: .absent) }

    public mutating func describe(_ members: inout Members) {
        members.value("at", time: &at)
        members.value("by", &by)
        members.value("exception_id", &exception)
        members.value("kind", &kind)
        members.value("text", &text)
    }
}

/// Who has an exception in hand, and what was said about it.
public struct CaseWork: Hashable, Sendable {
    public struct Comment: Hashable, Sendable {
        public var at: Instant
        public var by: String
        public var text: String
    }
    /// The user to whom it is assigned. Nil if it is unassigned.
    public private(set) var assignee: String?
    /// Since when that person has it.
    public private(set) var since: Instant?
    /// The number of its ticket in the shop's own system; nil if absent.
    public private(set) var ticket: String?
    /// Oldest first.
    public var comments: [Comment] = []

    public init() {}

    /// Whether the step is allowed. A user cannot take a case that is assigned to another user, hand it over or give it back.
    ///
    /// - Parameter isLead: the person may also hand over and give back what another one has.
    public func allows(_ step: WorkStep, isLead: Bool) -> Bool {
        switch step.kind {
        case .take: assignee == nil || assignee == step.by
        case .handOver, .giveBack: assignee != nil && (assignee == step.by || isLead)
        case .comment, .ticket: true
        }
    }

    /// Whether the step says what is known already, as when a form is sent twice.
    public func includes(_ step: WorkStep) -> Bool {
        switch step.kind {
        case .take: assignee == step.by
        case .handOver: assignee == step.text
        case .giveBack: assignee == nil
        case .comment: comments.last.map { $0.by == step.by && $0.text == step.text } ?? false
        case .ticket: ticket == step.text
        }
    }

    public mutating func add(_ step: WorkStep) {
        switch step.kind {
        case .take: (assignee, since) = (step.by, step.at)
        case .handOver: (assignee, since) = (step.text, step.at)
        case .giveBack: (assignee, since) = (nil, nil)
        case .comment: comments.append(Comment(at: step.at, by: step.by, text: step.text ?? ""))
        case .ticket: ticket = step.text
        }
    }
}

/// Who had an open exception in hand when a night ran, and under which ticket.
public struct AssignedCase: Hashable, Sendable, Codable {
    public var id: ExceptionID
    public var assignee: String?
    public var ticket: String?
}

extension NightReport {
    /// Sets the assignee and the ticket of each exception.
    public mutating func assign(_ work: [ExceptionID: CaseWork]) {
        assign(
            exceptions.compactMap { row in
                guard let work = work[row.id], work.assignee != nil || work.ticket != nil else { return nil }
                return AssignedCase(id: row.id, assignee: work.assignee, ticket: work.ticket)
            })
    }

    /// - Parameter cases: in any order, each of an exception of the report.
    public mutating func assign(_ cases: [AssignedCase]) {
        if cases.isEmpty { return }
        assigned = cases
        let known = Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0) })
        for index in exceptions.indices {
            guard let found = known[exceptions[index].id] else { continue }
            exceptions[index].assignee = found.assignee
            exceptions[index].ticket = found.ticket
        }
    }
}
