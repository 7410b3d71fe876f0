import Domain
import Engine
import Testing

@testable import Engine
@testable import Reports

@Suite struct LookupTextsTests {
    @Test func whoConfirmedAWithdrawnHandOutIsNamedInTheReadersLanguage() throws {
        let given = HandOut(
            transaction: "2000000123456789", by: "li", at: Instant(milliseconds: 0),
            account: "u3001", confirmedBy: "wang", note: "mail")
        let withdrawal = HandOut(transaction: given.transaction, by: "li", at: Instant(milliseconds: 60_000))
        let withdrawn = WithdrawnDecision(withdrawn: given, by: withdrawal)
        let chinese = withdrawn.text(zone: .utc, try Texts(language: .chinese))
        #expect(chinese.hasPrefix("li（wang 确认；补单给账号 u3001，理由：mail）曾于"), "\(chinese)")
        let english = withdrawn.text(zone: .utc, try Texts(language: .english))
        #expect(english.hasPrefix("li (confirmed by wang; to account u3001, because: mail) recorded at"), "\(english)")
    }

    /// What a person typed names no second user.
    @Test func theReasonOfAWaiverIsNoConfirmation() throws {
        let waiver = DeskDecision(
            .waive, "E1", .decide, by: "li", at: Instant(milliseconds: 0), note: "confirmed by mail: refunded")
        let back = DeskDecision(.waive, "E1", .withdraw, by: "chen", at: Instant(milliseconds: 60_000), note: "mistake")
        let withdrawn = try #require([WithdrawnDecision]([waiver, back]).first)
        let text = withdrawn.text(zone: .utc, try Texts(language: .chinese))
        #expect(text.hasPrefix("li（confirmed by mail: refunded）曾于") && !text.contains("确认"), "\(text)")
    }

    /// A stranger may send any number of receipts that name a customer's payment.
    @Test(.timeLimit(.minutes(1))) func receiptsOfOneMomentAreOneLineHoweverMany() throws {
        let receipt = Receipt(id: "R1", content: .absent, account: "a", receivedAt: Instant(milliseconds: 0))
        let entries = (1...50_000).map {
            TimelineEntry(at: receipt.receivedAt, event: .receipt(receipt), source: "receipts.csv", line: ($0 + 1) / 2)
        }
        let lines = timelineLines(entries, zone: .utc, try Texts(language: .english))
        #expect(lines.count == 1 && lines[0].sources.count == 21 && lines[0].sources[20] == "24980 more")
        let later = (1...150).map { (second: Int64) -> TimelineEntry in
            var receipt = receipt
            receipt.receivedAt = Instant(milliseconds: second * 1000)
            return TimelineEntry(at: receipt.receivedAt, event: .receipt(receipt), source: "receipts.csv", line: 1)
        }
        let order = Order(id: "O", account: "a", product: "p", status: .paid, createdAt: Instant(milliseconds: 900_000))
        let last = TimelineEntry(at: order.createdAt, event: .order(order), source: "orders.csv", line: 1)
        let shown = timelineLines(later + [last], zone: .utc, try Texts(language: .english))
        #expect(shown.count == 102 && shown[100].sources == ["orders.csv:1"])
        #expect(shown[101].text == "50 more receipts are on record")
    }

    /// Apple's record tells of the payment, and the receipt that the app sent holds it, too.
    @Test func aPaymentInAReceiptIsNotToldAsASecondOne() throws {
        let at = Instant(milliseconds: 0)
        var receipt = Receipt(id: "R1", content: .absent, account: "a", receivedAt: at)
        receipt.receivedAt = Instant(milliseconds: 60_000)
        var payment = Transaction.blank
        (payment.id, payment.product, payment.purchasedAt) = ("T1", "coins", at)
        func lines(_ payments: [(file: String, proof: Proof)]) throws -> [String] {
            let entries =
                payments.map { file, proof in
                    (payment.proof, payment.isFromReceipt) = (proof, proof == .verified)
                    return TimelineEntry(at: at, event: .purchase(payment), source: file, line: 2)
                } + [TimelineEntry(at: receipt.receivedAt, event: .receipt(receipt), source: "receipts.jsonl", line: 2)]
            return timelineLines(entries, zone: .utc, try Texts(language: .english)).map(\.text)
        }
        let both = try lines([("apple.jsonl", .vouched), ("receipts.jsonl", .verified)])
        #expect(both.count == 3 && both[0].hasPrefix("paid to Apple"), "\(both)")
        #expect(both[1] == "the receipt shows this payment (Apple's signature is valid)")
        #expect(try lines([("receipts.jsonl", .verified)])[0].hasPrefix("paid to Apple"))
    }

    @Test(arguments: Language.allCases)
    func everyVerdictAndCauseSaysWhoApproves(language: Language) throws {
        let texts = try Texts(language: language)
        for (verdict, causes) in Verdict.allCases.map({ ($0, $0.causes) }) {
            for cause in causes { #expect(!texts.explanation(verdict, cause).approval.isEmpty, "\(verdict)/\(cause)") }
        }
    }

    @Test(arguments: Language.allCases)
    func everyWordOfTheLookUpIsThere(language: Language) throws {
        let texts = try Texts(language: language)
        for label in LookupLabel.allCases { #expect(!texts.lookup(label).isEmpty) }
        for label in PageLabel.allCases { #expect(!texts.page(label).isEmpty) }
        for label in DeskLabel.allCases { #expect(!texts.desk(label).isEmpty) }
        for label in DecisionLabel.allCases { #expect(!texts.decision(label).isEmpty) }
        for kind in DeskDecision.Kind.allCases {
            #expect(texts.words["decision.what_" + kind.rawValue] != nil && !texts.decision(button: kind).isEmpty)
        }
        for label in QueueLabel.allCases { #expect(!texts.queue(label).isEmpty) }
        for reason in QueueItem.Reason.allCases { #expect(!texts.queue(reason).isEmpty) }
        for column in WorkQueue.Column.allCases { #expect(!texts.queue(column).isEmpty) }
        for (name, _) in QueueFilter.names.dropLast() { #expect(texts.words["queue.field_" + name] != nil) }
        for trouble in DeskProblem.Trouble.allCases {
            #expect(!DeskProblem.failed(trouble, 74).text(texts).contains("{"))
        }
        for (name, _) in DescriptionFields.names { #expect(texts.words["desk.find_" + name] != nil, "\(name)") }
        for fault in DescriptionFields.Fault.allCases { #expect(!DeskProblem.search(fault).text(texts).isEmpty) }
        for group in LookupGroup.allCases {
            for code in codes(group) { #expect(!texts.lookup(group, code: code).isEmpty, "\(group).\(code)") }
        }
    }

    /// All codes that need a text.
    private func codes(_ group: LookupGroup) -> [String] {
        switch group {
        case .kind: LookupKind.allCases.map(\.rawValue)
        case .safety: ["safe", "safe_after_tries", "taken_back"] + Self.reasons.map(\.0.adviceCode)
        case .unsafe: Verdict.allCases.filter { $0 != .paidNotCredited }.map(\.rawValue)
        case .route: LookupRoute.allCases.map(\.rawValue)
        case .foundBy: PartOfIdentifier.Kind.allCases.map(\.rawValue)
        case .pasted: PastedRecord.Outcome.allCases.map(\.rawValue)
        case .closedAs: [OrderStatus.failed, .cancelled, .refunded].map(\.rawValue)
        case .status: OrderStatus.allCases.map(\.rawValue)
        case .origin: CreditOrigin.allCases.map(\.rawValue)
        case .check: [CheckOutcome.accepted, .rejected, .unverified].map { "\($0)" }
        case .proof: Proof.allCases.map { "\($0)" }
        case .retryState: RetryEntry.State.allCases.map(\.rawValue)
        case .answer: AckOutcome.allCases.map(\.rawValue)
        case .rejected: RejectedPart.allCases.map(\.rawValue)
        }
    }

    private static let day = BusinessDate(day: 20_000)

    /// The reasons that have advice of their own, each with a fact that its text names.
    private static let reasons: [(LookupSafety, String)] = [
        (.otherAccount, ""), (.foundByPart, ""), (.statusOnly, ""),
        (.purchaseOpen(["T1", "T2"]), "T2"), (.partlyGiven, ""), (.waived, ""), (.orderCrossed, ""), (.paidTwice, ""),
        (.alreadyOwned(["T1", "T2"]), "T2"),
        (.refundReported(.record), ""), (.refundReported(.order(["O1"])), "O1"),
        (.refundReported(.suggestedOrder(["O2"])), "O2"), (.refundReported(.upgrade("plus")), "plus"),
        (.recordsDisagree, ""),
        (.given(HandOut(transaction: "T1", by: "Li", at: Instant(milliseconds: 0))), "Li"), (.retryFetch, ""),
        (.retrySilent(3), "3"),
        (.creditOnRecord(["C1", "C2"]), "C1"), (.creditRejected("in.csv:7"), "in.csv:7"),
        (.creditUnplaced(["C1"]), "C1"), (.ownerUnknown, ""), (.ownerDisputed, ""), (.retryOut, ""),
        (.retryApplied, ""),
        (.retryUnclear, ""), (.held, ""), (.restored(Instant(milliseconds: 0)), "1970"), (.guarded, ""),
        (.renewalsUnrecorded, ""), (.creditsMissing(day), day.text),
        (.recordsMissing(.orders, day), day.text), (.stale(9), "9"), (.rulesChanged, ""),
        (.accountUnclear("880112345"), "880112345"),
    ]

    @Test(arguments: Language.allCases)
    func theseReasonsHaveAdviceAndNoOthers(language: Language) throws {
        let paths = try Texts(language: language).all.map(\.path).filter { $0.hasPrefix("lookup.advice.") }
        #expect(paths == Self.reasons.map { "lookup.advice." + $0.0.adviceCode }.sorted())
    }

    /// No two reasons have the same text, and each names its subject.
    @Test(arguments: Language.allCases)
    func everyReasonAgainstGivingTheGoodsHasWordsOfItsOwn(language: Language) throws {
        let texts = try Texts(language: language)
        var seen = Set<String>()
        for (safety, fact) in Self.reasons + [(.takenBack, "")] {
            let words = safety.text(of: .paidNotCredited, zone: Zone("UTC")!, texts)
            #expect(!safety.isSafe && seen.insert(words).inserted && !words.contains("{"), "\(words)")
            #expect(fact.isEmpty || words.contains(fact), "\(words)")
        }
        let words = LookupSafety.creditOnRecord(["order:O9"]).text(of: .paidNotCredited, zone: Zone("UTC")!, texts)
        #expect(words.hasSuffix(language == .english ? ": order O9" : "：订单 O9"), "\(words)")
    }

    /// Values that differ are worded in the language of the answer; only CSV and JSON have the code.
    @Test func whatDiffersIsAClause() throws {
        let differences = [
            Difference(field: .quantity, left: "2", right: "1"),
            Difference(field: .amount, left: "6.00", right: "30.00"),
        ]
        #expect(
            try differences.map(Texts(language: .english).sentence)
                == ["Quantity: paid 2, recorded 1", "Amount: paid 6.00, recorded 30.00"])
        #expect(
            try differences.map(Texts(language: .chinese).sentence) == ["数量：付款 2，记录 1", "金额：付款 6.00，记录 30.00"])
        for language in Language.allCases {
            let texts = try Texts(language: language)
            for field in ComparedField.allCases {
                let text = texts.sentence(Difference(field: field, left: "LEFT", right: "RIGHT"))
                #expect(text.contains("LEFT") && text.contains("RIGHT") && !text.contains("≠"))
            }
        }
    }

    /// The period is withheld, but the customer does not miss goods.
    @Test(arguments: [("u1", "告诉我们您的账号", false), (nil, "告诉我们您的账号", true)] as [(String?, String, Bool)])
    func whoComplainsOfTheChargeOfAWithheldPeriodReadsOfApplesSubscriptions(
        owner: String?, words: String, asksForAccount: Bool
    ) throws {
        for isAboutCharge in [true, false] {
            var facts = ExceptionFacts(
                verdict: .paidNotCredited, cause: .noOrder, severity: .high, eventAt: Instant(milliseconds: 0))
            facts.transactions = ["T1"]
            var subject = LookupSubject(facts: facts, safety: owner == nil ? .ownerUnknown : .renewalsUnrecorded)
            if owner == nil { subject.besidesOwner = .renewalsUnrecorded }
            (subject.owner, subject.isAboutCharge) = (owner, isAboutCharge)
            let advice = LookupWording(subject, zone: .utc, texts: try Texts(language: .chinese)).advice.map(\.text)
            #expect(advice[1].contains(words) == asksForAccount, "\(advice)")
            #expect(advice[1].contains("订阅由苹果自动续费并扣款") == isAboutCharge, "\(advice)")
            #expect(advice[2].contains("用户反映的是扣款问题") == isAboutCharge, "\(advice)")
        }
    }

    /// The customer is owed goods; the company gave too many.
    @Test(arguments: [(ShortParty.customer, "欠用户 68.00 CNY"), (.company, "公司多发 68.00 CNY")])
    func whoIsShortOfWhatIsSaidPlainly(party: ShortParty, words: String) throws {
        var facts = ExceptionFacts(
            verdict: .creditedTwice, cause: .none, severity: .low, eventAt: Instant(milliseconds: 0))
        facts.short = party
        facts.effect = Money(minor: 6800, currency: "CNY")
        let subject = LookupSubject(facts: facts, safety: .verdict)
        let answer = LookupWording(subject, zone: .utc, texts: try Texts(language: .chinese))
        #expect(answer.sections[0].lines.contains { $0.text == words })
    }

    @Test(arguments: Language.allCases)
    func theBuiltInTextsStandTheCheckOfOwnOnes(language: Language) throws {
        let scratch = try ScratchBuffer()
        #expect(throws: Never.self) { try Texts(language: language, folder: scratch.path) }
    }

    @Test func aValueIsNotFilledInTwice() throws {
        let texts = try Texts(language: .english)
        #expect(texts.filled("{0} and {1}, {2} {x", ["{1}", "b"]) == "{1} and b, {2} {x")
        #expect(texts.filled("{0} {0|day|days}, {1} {1|day|days}", ["1", "2"]) == "1 day, 2 days")
        // What is not a placeholder stays as it is.
        for text in ["{0|day}", "{0|a|b|c}", "{2|day|days}", "{+0}", "{}", "{|}"] {
            #expect(texts.filled(text, ["1"]) == text)
        }
    }

    @Test(
        arguments: [
            ("a bc def", 4, ["a bc", "def"]), ("", 5, [""]), ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
            ("一二三四五", 4, ["一二", "三四", "五"]), ("一二。三", 5, ["一", "二。", "三"]), ("a  b", 2, ["a", "b"]),
            ("ab 一二", 5, ["ab 一", "二"]), ("一二（三", 6, ["一二", "（三"]),
        ])
    func linesBreakWhereReadersExpectIt(text: String, columns: Int, lines: [String]) {
        #expect(wrapped(text, to: columns) == lines)
    }

    @Test func aShortAccountIsHiddenWhole() {
        #expect(mask("abc") == "***" && mask("acct17") == "ac***17" && mask("小鱼儿在海里") == "小鱼***海里")
    }
}
