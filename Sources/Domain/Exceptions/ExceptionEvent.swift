/// What a night did to an exception, as its history keeps it. Decisions of people are not events: they have a name and
/// a note instead.
public enum ExceptionEvent: Hashable, Sendable {
    case firstSeen
    /// Its verdict or cause is another than this one, which it had before.
    case changedFrom(Verdict, Cause)
    /// Its evidence now belongs to the exception of this id.
    case mergedInto(ExceptionID)
    /// Its evidence now belongs to another subject, which has no exception.
    case evidenceMoved
    /// Its subject is not an exception any more: the subject's verdict now, and tonight's evidence for it as `file:line`.
    case resolvedAs(Verdict, Cause, evidence: [String])
    /// It was resolved, and its subject is an exception again.
    case returned
    /// Its facts changed after it was waived, so that the waiver no longer holds.
    case changedAfterWaiver
    case waiverWithdrawn
    /// A person waived it since the night before.
    case waived

    /// The kinds of events. The raw values are stored and name the events' texts in the templates.
    public enum Code: String, Sendable, CaseIterable {
        case firstSeen = "first_seen"
        case changedFrom = "changed_from"
        case mergedInto = "merged_into"
        case evidenceMoved = "evidence_moved"
        case resolvedAs = "resolved_as"
        case returned
        case changedAfterWaiver = "changed_after_waiver"
        case waiverWithdrawn = "waiver_withdrawn"
        case waived
    }

    public var code: Code {
        switch self {
        case .firstSeen: .firstSeen
        case .changedFrom: .changedFrom
        case .mergedInto: .mergedInto
        case .evidenceMoved: .evidenceMoved
        case .resolvedAs: .resolvedAs
        case .returned: .returned
        case .changedAfterWaiver: .changedAfterWaiver
        case .waiverWithdrawn: .waiverWithdrawn
        case .waived: .waived
        }
    }

    /// The event in English for JSON files, whose wording no template may change.
    public var machineText: String {
        switch self {
        case .firstSeen: "first seen"
        case .changedFrom(let verdict, let cause): "was " + verdict.ruling(cause)
        case .mergedInto(let id): "merged into " + id.text
        case .evidenceMoved: "its evidence now belongs to another subject"
        case .resolvedAs(let verdict, let cause, let evidence):
            verdict.ruling(cause) + (evidence.isEmpty ? "" : " by " + evidence.joined(separator: ";"))
        case .returned: "it is back"
        case .changedAfterWaiver: "the facts changed after it was waived"
        case .waiverWithdrawn: "the waiver was withdrawn"
        case .waived: "waived"
        }
    }
}

/// The stored text: the code, then its arguments, as in `changed_from paid_not_credited/credit_failed` and
/// `resolved_as matched inbox/credits-2025-11-19.csv:4;inbox/orders.csv:7`. In evidence, `%` and `;` are written as `%25`
/// and `%3B`.
extension ExceptionEvent: RawRepresentable, Codable {
    public var rawValue: String {
        let arguments: [String] =
            switch self {
            case .changedFrom(let verdict, let cause): [verdict.ruling(cause)]
            case .mergedInto(let id): [id.text]
            case .resolvedAs(let verdict, let cause, let evidence):
                [verdict.ruling(cause)] + (evidence.isEmpty ? [] : [evidence.map(escaped).joined(separator: ";")])
            default: []
            }
        return ([code.rawValue] + arguments).joined(separator: " ")
    }

    /// Nil for any text that no event has.
    public init?(rawValue text: String) {
        guard let event = Self.parsed(text), event.rawValue == text else { return nil }
        self = event
    }

    private static func parsed(_ text: String) -> ExceptionEvent? {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let argument = parts.count == 2 ? parts[1] : ""
        switch Code(rawValue: String(parts[0])) {
        case .firstSeen: return .firstSeen
        case .changedFrom: return verdictAndCause(argument).map { .changedFrom($0, $1) }
        case .mergedInto: return ExceptionID(String(argument)).map { .mergedInto($0) }
        case .evidenceMoved: return .evidenceMoved
        case .resolvedAs:
            let parts = argument.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard let (verdict, cause) = parts.first.flatMap(verdictAndCause) else { return nil }
            let evidence = parts.count == 2 ? parts[1].split(separator: ";", omittingEmptySubsequences: false) : []
            return .resolvedAs(verdict, cause, evidence: evidence.map(unescaped))
        case .returned: return .returned
        case .changedAfterWaiver: return .changedAfterWaiver
        case .waiverWithdrawn: return .waiverWithdrawn
        case .waived: return .waived
        case nil: return nil
        }
    }
}

private func verdictAndCause(_ text: Substring) -> (Verdict, Cause)? {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let verdict = parts.first.flatMap({ Verdict(rawValue: String($0)) }),
        let cause = Cause(rawValue: parts.count == 2 ? String(parts[1]) : "")
    else { return nil }
    return (verdict, cause)
}

/// Hardly any place has such characters, and replacing takes long: so they are looked for first.
private func escaped(_ place: String) -> String {
    guard place.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ";") }) else { return place }
    return place.replacing("%", with: "%25").replacing(";", with: "%3B")
}

private func unescaped(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    return String(text).replacing("%3B", with: ";").replacing("%25", with: "%")
}
