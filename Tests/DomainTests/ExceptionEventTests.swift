import Domain
import Testing

@Suite struct ExceptionEventTests {
    /// One of each code, and those whose arguments are hard to tell apart.
    static let events: [ExceptionEvent] = [
        .firstSeen, .changedFrom(.paidNotCredited, .creditFailed), .changedFrom(.orderMissing, .none),
        .mergedInto(ExceptionID("E0123456789abcdef")!), .evidenceMoved, .resolvedAs(.matched, .none, evidence: []),
        .resolvedAs(.closed, .refunded, evidence: ["in/a.csv:1"]),
        .resolvedAs(.matched, .none, evidence: ["in/a b;c%3B.csv:1", "in/100%.csv:22", "in/拒.csv:3"]),
        .returned, .changedAfterWaiver, .waiverWithdrawn, .waived,
    ]

    @Test(arguments: events)
    func whatIsStoredIsReadBack(event: ExceptionEvent) {
        #expect(ExceptionEvent(rawValue: event.rawValue) == event)
        #expect(event.rawValue.hasPrefix(event.code.rawValue))
    }

    @Test func everyCodeIsAmongThem() {
        #expect(Set(Self.events.map(\.code)) == Set(ExceptionEvent.Code.allCases))
        #expect(Set(Self.events.map(\.rawValue)).count == Self.events.count)
    }

    @Test(arguments: [
        "", " ", "first seen", "first_seen ", "first_seen x", "changed_from", "changed_from lost",
        "changed_from matched/",
        "changed_from paid_not_credited/lost", "merged_into", "merged_into ", "merged_into E1",
        "merged_into E0123456789ABCDEF", "resolved_as", "resolved_as  a:1",
        "resolved_as matched a%zz:1", "matched by in/a.csv:1", "Returned",
    ])
    func otherTextIsNoEvent(text: String) {
        #expect(ExceptionEvent(rawValue: text) == nil)
    }
}
