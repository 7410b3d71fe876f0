import Domain
import Testing

@testable import Engine
@testable import Reports

/// Every answer that can occur, in both languages: its parts never contradict each other.
@Suite struct LookupContradictionTests {
    /// What the texts say, in each language.
    private struct Words {
        var promises: String
        var asksForAccount: String
        var giveOnce: String
        var doNotGive: [String]
        var systemGives: String
    }

    private static let words: [Language: Words] = [
        .english: Words(
            promises: "We will add them", asksForAccount: "tell us the account", giveOnce: "give them once",
            doNotGive: ["Do not give", "Do not credit"], systemGives: "The system will add the goods"),
        .chinese: Words(
            promises: "将为您补发", asksForAccount: "告诉我们您的账号", giveOnce: "补单一次", doNotGive: ["不要补单", "不要人工补单", "不要再次补单"],
            systemGives: "系统会自动补单"),
    ]

    private static let day = BusinessDate(day: 20_000)

    /// The reasons that can occur with a verdict and cause.
    private static func safeties(_ verdict: Verdict, _ cause: Cause) -> [LookupSafety] {
        guard verdict == .paidNotCredited else {
            if verdict == .matched { return [.verdict, .statusOnly, .otherAccount] }
            return [.waiting, .closed, .undetermined, .orderUnverified].contains(verdict)
                ? [.verdict, .purchaseOpen(["T1"]), .otherAccount] : [.verdict, .otherAccount]
        }
        switch cause {
        case .reversedWithoutRefund: return [.takenBack]
        case .creditedShort: return [.partlyGiven]
        case .crossedOrder: return [.orderCrossed]
        case .paidTwice: return [.paidTwice]
        default:
            return [
                .safe, .safeAfterTries(6), .given(HandOut(transaction: "T1", by: "Li", at: Instant(milliseconds: 0))),
                .rulesChanged, .waived, .creditOnRecord(["C1"]), .ownerUnknown, .ownerDisputed, .retryOut, .retryFetch,
                .retrySilent(3), .retryApplied, .retryUnclear, .held, .creditsMissing(day),
                .renewalsUnrecorded,
                .recordsMissing(.orders, day), .refundReported(.record), .refundReported(.order(["O1"])),
                .refundReported(.suggestedOrder(["O1"])), .refundReported(.upgrade(nil)), .recordsDisagree,
                .otherAccount, .foundByPart, .creditUnplaced(["C1"]), .alreadyOwned(["T2"]), .guarded,
                .restored(Instant(milliseconds: 0)),
                .stale(9),
                .creditRejected("c.csv:7"),
                .accountUnclear("u2"),
            ]
        }
    }

    private static func subjects() -> [LookupSubject] {
        let causes = Verdict.allCases.flatMap { verdict in
            (verdict.causes.isEmpty ? [Cause.none] : verdict.causes).map { (verdict, $0) }
        }
        return causes.flatMap { verdict, cause in
            safeties(verdict, cause).flatMap { safety -> [LookupSubject] in
                let owners: [String?] =
                    safety == .ownerUnknown ? [nil] : verdict == .paidNotCredited ? ["u1"] : ["u1", nil]
                return owners.flatMap { owner in
                    ["", "ambiguous_order", "receipt_proof"].map { flag in
                        var facts = ExceptionFacts(
                            verdict: verdict, cause: cause, severity: .low, eventAt: Instant(milliseconds: 0))
                        facts.transactions = ["T1"]
                        facts.product = "coins"
                        facts.quantity = 2
                        facts.flags = flag.isEmpty ? [] : [flag]
                        if verdict == .valueMismatch {
                            facts.differences = [Difference(field: .quantity, left: "2", right: "1")]
                        }
                        var subject = LookupSubject(facts: facts, safety: safety)
                        subject.owner = owner
                        if flag == "ambiguous_order" { subject.suggestedOrders = ["O1", "O2"] }
                        return subject
                    }
                }
            }
        }
    }

    @Test(arguments: Language.allCases)
    func noAnswerContradictsItself(language: Language) throws {
        let texts = try Texts(language: language)
        let words = try #require(Self.words[language])
        let subjects = Self.subjects()
        #expect(subjects.count > 200)
        for subject in subjects {
            let answer = LookupWording(subject, zone: .utc, texts: texts)
            let (verdict, safety) = (subject.facts.verdict, subject.safety)
            let name = "\(verdict)/\(subject.facts.cause) \(safety.code) \(subject.owner ?? "-")"
            let parts = answer.advice.map(\.text)
            let (customer, next, approval) = (parts[1], parts[2], parts[3])
            let isForbidden = words.doNotGive.contains { next.contains($0) }
            let mayGive = safety.isSafe || safety == .retryOut
            // What only the order's status says is not said to be delivered.
            #expect(safety != .statusOnly || !answer.title.contains(texts.lookup(.matchedTitle)), "\(name)")
            // Nothing is said about a purchase to a customer whose it is not.
            #expect((customer == texts.lookup(.customerOther)) == (safety == .otherAccount), "\(name): \(customer)")
            if safety == .otherAccount, let owner = subject.owner {
                #expect(answer.title.contains(owner) && !answer.isSafe && !answer.isNotNeeded, "\(name)")
                #expect(!customer.contains("u1") && !customer.contains("T1"))
            }
            #expect(!customer.contains(words.promises) || mayGive, "\(name): \(customer)")
            #expect(customer.contains(words.asksForAccount) == (safety == .ownerUnknown), "\(name): \(customer)")
            #expect(next.contains(words.giveOnce) == safety.isSafe, "\(name): \(next)")
            #expect(!(safety.isSafe && isForbidden), "\(name): \(next)")
            #expect(next.contains(words.systemGives) == (safety == .retryOut), "\(name): \(next)")
            if safety.isSafe { #expect(next.contains("T1") && approval != texts.lookup(.approvalNone), "\(name)") }
            if verdict == .paidNotCredited, !safety.isSafe {
                let decides = [.takenBack, .partlyGiven, .paidTwice, .ownerUnknown, .ownerDisputed].contains(safety)
                #expect((approval == texts.lookup(.approvalNone)) != decides, "\(name): \(approval)")
                var blocked = subject
                blocked.besidesOwner = .guarded
                let other = LookupWording(blocked, zone: .utc, texts: texts).advice[3].text
                #expect(!subject.needsOwner || other == texts.lookup(.approvalNone), "\(name): \(other)")
            }
            // A genuine record of another app accuses nobody.
            let fault = texts.words["lookup.unsafe.invalid_transaction"] ?? ""
            #expect(subject.facts.cause != .wrongBundle || !answer.safetyLine.contains(fault), "\(name)")
            let (line, facts) = (answer.safetyLine, answer.sections[0].lines)
            #expect(answer.isNotNeeded == line.contains(texts.lookup(.notNeeded)), "\(name): \(line)")
            for text in [line, answer.title] + parts + facts.map(\.text) {
                #expect(!text.isEmpty && !text.contains("{") && !text.contains("≠"), "\(name): \(text)")
            }
            if !subject.suggestedOrders.isEmpty {
                #expect(facts.contains { $0.text.contains("O1") && $0.text.contains("O2") })
            }
        }
    }

    /// Words that were settled otherwise (docs/glossary.md), and English names of columns in Chinese texts.
    @Test func noTextUsesAWordThatWasReplaced() throws {
        let chinese = try Texts(language: .chinese)
        let english = try Texts(language: .english)
        for (path, text) in chinese.all {
            for word in ["凭证", "家庭共享", "到账号", "票据", "证实", "个案", "重新出现"] {
                // A voucher of the books keeps its name.
                #expect(!text.replacing("凭证号", with: "").contains(word), "\(path): \(text)")
            }
            #expect(text.firstMatch(of: /客户(?!端)/) == nil, "\(path): \(text)")
            let names = text.matches(of: /[a-z]+_[a-z_]+|\b(?:quantity|amount|currency|product)\b/)
            #expect(names.isEmpty, "\(path): \(text)")
        }
        for (path, text) in english.all {
            let words = text.lowercased().matches(of: /\b(?:told|nobody|somebody|anew|lets? go|books)\b/)
            #expect(words.isEmpty, "\(path): \(text)")
        }
    }
}
