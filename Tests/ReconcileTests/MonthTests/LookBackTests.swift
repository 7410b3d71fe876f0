import Foundation
import Testing

@testable import Console
@testable import Domain
@testable import Engine
@testable import Ledger
@testable import Reconcile

/// What a month says about the evidence that it rests on: less than another closing's, accepted gaps, changed settings.
@Suite struct LookBackTests {
    typealias Sale = MonthFolder.Sale

    /// Nights with one sale each.
    private func folder(_ dates: String..., required: Set<FeedKind> = []) throws -> MonthFolder {
        let folder = try MonthFolder(required: required)
        for (index, date) in dates.enumerated() { try sell(index + 1, date, in: folder) }
        return folder
    }

    private func sell(
        _ id: Int, _ date: String, at day: String? = nil, isGiven: Bool = true, lost: String? = nil,
        in folder: MonthFolder
    ) throws {
        let sale = Sale(id: id, minor: 600, at: (day ?? date) + " 12:00:00")
        try folder.deliver(
            date, orders: [folder.order(sale)], credits: isGiven ? [folder.credit(sale, at: sale.at)] : [],
            transactions: [folder.record(sale)])
        if let lost { try FileManager.default.removeItem(atPath: folder.nights.folder.path + "/inbox/" + lost) }
        try folder.night(date)
    }

    private func close(_ month: String, _ options: String..., in folder: MonthFolder) throws -> NightFolder.Outcome {
        try folder.nights.run(["monthly", month, "--close", "--by", "li"] + options)
    }

    /// After the night of 28 February and before the last one.
    private let early = "2026-03-02T00:00:00Z"

    @Test func aMonthIsNotClosedByLessEvidenceThanOneBefore() throws {
        let folder = try folder("2026-01-31", "2026-02-28", "2026-03-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let refused = try close("2026-02", "--as-of", early, in: folder)
        #expect(refused.code == .usage, "\(refused)")
        #expect(refused.errors.contains("2026-01 is closed by the evidence of 2026-03-31T19:00:00Z"))
        #expect(refused.errors.contains("Leave out --as-of, or name that time or a later one."))
        #expect(try folder.nights.ledger().monthSeals().map(\.period) == ["2026-01"])
        // The remedy, then the next month.
        #expect(try close("2026-02", "--as-of", "2026-03-31T19:00:00Z", in: folder).code == .done)
        #expect(try folder.read("2026-02").year.map(\.period) == ["2026-01", "2026-02"])
        #expect(try close("2026-03", in: folder).code == .done)
    }

    @Test func aLookBackAtAClosedMonthHasAFolderOfItsOwn() throws {
        let folder = try folder("2026-01-30", "2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let signed = try folder.bytes("2026-01", "SHA256SUMS")
        for options in [[], ["--close", "--by", "wang"]] {
            let look = try folder.nights.run(["monthly", "2026-01", "--as-of", "2026-01-31T00:00:00Z"] + options)
            #expect(look.code == .done && look.output.contains("out/2026-01-asof/month.xlsx"), "\(look)")
            #expect(look.errors.contains("2026-01 was closed by li on ") == !options.isEmpty)
            #expect(try folder.bytes("2026-01", "SHA256SUMS") == signed)
            #expect(try folder.read("2026-01").money["CNY"]?.purchases == "12.00")
            #expect(try folder.read("2026-01-asof").money["CNY"]?.purchases == "6.00")
        }
        // A night's sweep and another look leave both alone.
        try sell(3, "2026-02-01", in: folder)
        #expect(try folder.month("2026-01").code == .done && folder.nights.run(["check"]).code == .done)
        #expect(try folder.read("2026-01-asof").status == "provisional")
    }

    @Test func anAcceptedGapIsNamedByTheMonth() throws {
        let folder = try folder("2026-01-29", required: [.transactions])
        try sell(2, "2026-01-30", lost: "transactions-2026-01-30.jsonl", in: folder)
        #expect(try folder.month("2026-01").code == .look)
        let feed = "inbox/transactions-{date}*.jsonl"
        let accepted = try folder.nights.run(
            ["gap", "accept", feed, "2026-01-30", "--by", "hu", "--note", "the disk broke"])
        #expect(accepted.code == .done, "\(accepted)")
        try sell(3, "2026-01-31", in: folder)
        let closed = try close("2026-01", in: folder)
        #expect(closed.code == .done, "\(closed)")
        #expect(closed.output.contains("  Accepted as complete: \(feed) 2026-01-30, by hu: the disk broke\n"))
        let strings = try folder.strings("2026-01")
        #expect(strings.contains("Accepted as complete") && strings.contains("hu: the disk broke"))
        let json = try folder.text("2026-01", "month.json")
        #expect(json.contains("\"accepted_gaps\"") && json.contains("\"note\": \"the disk broke\""), "\(json)")
        #expect(
            try folder.text("2026-01", "month.csv").contains(
                "accepted_gaps,,\(feed),2026-01-30,hu: the disk broke,1,"))
        // It is the gap of its month only.
        try sell(4, "2026-02-01", in: folder)
        #expect(try folder.month("2026-02").code == .done)
        #expect(try !folder.text("2026-02", "month.json").contains("accepted_gaps"))
    }

    @Test func aChangedSettingIsNotCalledLaterEvidence() throws {
        let folder = try folder("2026-01-10", "2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let text = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write(text.replacing("2010-01-01", with: "2026-01-20"), to: "reconcile.json")
        try sell(3, "2026-02-28", in: folder)
        let closed = try close("2026-02", in: folder)
        let change = "historyFrom: 2010-01-01 → 2026-01-20"
        #expect(closed.output.contains("  Settings changed since a month was closed last: \(change)\n"), "\(closed)")
        #expect(try folder.read("2026-02").restated.map(\.period) == ["2026-01"])
        let strings = try folder.strings("2026-02")
        #expect(strings.contains("Closed months that later evidence or a changed setting has changed"))
        #expect(strings.contains(change) && !strings.contains("Closed months that later evidence has changed"))
        #expect(try folder.text("2026-02", "month.json").contains("\"setting\": \"historyFrom\""))
        let csv = try folder.text("2026-02", "month.csv")
        #expect(csv.contains("\nsettings_changed,,historyFrom,2010-01-01,2026-01-20,1,"), "\(csv)")
        // Said once: the next month rests on the same settings as this closing.
        try sell(4, "2026-03-31", in: folder)
        #expect(try !folder.nights.run(["monthly", "2026-03"]).output.contains("Settings changed"))
    }

    /// The orders of a product are left out from February on. The month says so, and not only the night that began it.
    @Test func aFilterThatBeganAfterTheClosingIsNamed() throws {
        let folder = try folder("2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let text = try folder.nights.folder.read("reconcile.json")
        let filtered = text.replacing(
            "{kind: \"orders\",", with: "{kind: \"orders\", whereNot: {product_id: [\"gems\"]},")
        try #require(filtered != text, "\(text)")
        try folder.nights.folder.write(filtered, to: "reconcile.json")
        try sell(2, "2026-02-27", in: folder)
        try sell(3, "2026-02-28", in: folder)
        let shown = try folder.nights.run(["monthly", "2026-02"]).output
        #expect(shown.contains(": whereNot.product_id: not set → gems"), "\(shown)")
        #expect(try folder.strings("2026-02").contains(": whereNot.product_id: not set → gems"))
    }

    @Test func aLineLeadsFromTheSignedClosingToTheOpening() throws {
        let folder = try folder("2026-01-30")
        try sell(2, "2026-01-31", at: "2026-01-10", isGiven: false, in: folder)
        #expect(try close("2026-01", in: folder).code == .done)
        #expect(try !folder.text("2026-01", "month.json").contains("opening_as_closed"))
        try sell(3, "2026-02-28", at: "2026-01-11", isGiven: false, in: folder)
        #expect(try close("2026-02", in: folder).code == .done)
        let json = try folder.text("2026-02", "month.json")
        #expect(json.contains("\"opening_as_closed\""), "\(json)")
        let strings = try folder.strings("2026-02")
        #expect(strings.contains("Paid and not received: last month's closing"))
        #expect(strings.contains("Paid and not received: changed since then"))
        // What did not change has no such line.
        #expect(!strings.contains("Received and not paid: last month's"))
        try sell(4, "2026-03-31", in: folder)
        #expect(try folder.month("2026-03").code == .done)
        #expect(try !folder.text("2026-03", "month.json").contains("opening_as_closed"))
    }

    /// The settings of a closing are read from the text of its run. The recorded configuration sets each one.
    @Test func everySettingThatDecidesVerdictsIsReadBack() throws {
        let file = try Release.this.text("configuration.json")
        var configuration = try ConfigurationReader(file: "/srv/shop/reconcile.json").read(file)
        let text = configuration.policyText
        let bundles = configuration.policy.bundles
        configuration.policy = Policy()
        configuration.policy.bundles = bundles
        let plain = Set(configuration.policyText.split(separator: "\n"))
        let same = text.split(separator: "\n").filter { plain.contains($0) }
        #expect(same.map { $0.prefix { $0 != "=" } } == ["app.bundleIDs", "required"], "the others differ")
        configuration.policy.take(RunRecord.settings(text))
        #expect(configuration.policyText == text)
    }

    /// Paid and not given, or two paid and one given. A longer grace, or nothing to compare, hides what customers lack: each
    /// purchase is named with the setting.
    @Test(arguments: [
        ("grace: ", "grace: {credit: \"1500h\", apple: \"168h\"},", "grace.credit", 2),
        ("compare: ", "compare: [],", "compare", 3),
    ])
    func aSettingThatHidesALossIsNamedWithItsPurchases(key: String, line: String, setting: String, id: Int) throws {
        let folder = try folder("2026-01-10")
        let lost = Sale(id: 2, minor: 600, at: "2026-01-11 12:00:00")
        let short = Sale(id: 3, minor: 1600, quantity: 2, at: "2026-01-12 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [lost, short].map(folder.order),
            credits: [folder.credit(short, at: short.at, quantity: 1)],
            transactions: [lost, short].map { folder.record($0) })
        try folder.night("2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let text = try folder.nights.folder.read("reconcile.json")
        let lines = text.split(separator: "\n").map { $0.contains(key) ? line : String($0) }
        try folder.nights.folder.write(lines.joined(separator: "\n"), to: "reconcile.json")
        try sell(4, "2026-02-28", in: folder)
        #expect(try close("2026-02", in: folder).code == .done)
        let month = try folder.read("2026-02")
        let rows = month.restated_subjects
        #expect(rows.map(\.subject_id) == [folder.transaction(id)] && rows.allSatisfy { $0.by_setting == true })
        let hidden = id == 2 ? "paid_not_credited 6.00 0.00 -6.00" : "value_mismatch 8.00 0.00 -8.00"
        #expect(month.restated_figures?.map(\.text).contains("2026-01 CNY " + hidden) == true, "\(month)")
        let strings = try folder.strings("2026-02")
        #expect(strings.contains(">changed setting: \(setting)<") && !strings.contains("changed rules of"))
        // The closed month's own screen has it, too.
        let screen = try folder.nights.run(["monthly", "2026-01"]).output
        let changes =
            id == 2
            ? "Paid not credited -6.00, Waiting 6.00"
            : "Net 0.00, Net given 8.00, Difference -8.00, Value mismatch -8.00"
        #expect(screen.contains("  changed since it was closed, CNY: \(changes) (sheet Restated"), "\(screen)")
        // Nothing is left that no purchase explains.
        #expect(!strings.contains("not traced to a row"))
    }

    /// After the closing a purchase is delivered again, with another product or storefront.
    @Test(arguments: [true, false])
    func aPurchaseThatCountsElsewhereIsNamed(isProduct: Bool) throws {
        let folder = try folder("2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        var sale = Sale(id: 1, minor: 600, at: "2026-01-31 12:00:00")
        if isProduct { sale.product = "gems" } else { sale.storefront = "CAN" }
        try folder.deliver(
            "2026-02-28", orders: [folder.order(sale)], credits: [folder.credit(sale, at: sale.at)],
            transactions: [folder.record(sale, signed: "2026-02-28 10:00:00")])
        try folder.night("2026-02-28")
        let screen = try folder.nights.run(["monthly", "2026-02"]).output
        #expect(screen.contains("  Restated: 2026-01\n"), "\(screen)")
        let month = try folder.read("2026-02")
        let places = month.restated_subjects.map {
            "\($0.subject_id) \($0.product_id ?? "") \($0.storefront ?? "") \($0.change["purchases"] ?? "")"
        }
        let own = folder.transaction(1)
        let expected =
            isProduct
            ? ["\(own) coins CHN -6.00", "\(own) gems CHN 6.00"] : ["\(own) coins CAN 6.00", "\(own) coins CHN -6.00"]
        #expect(month.restated.isEmpty && places == expected)
        #expect(month.restated_subjects.allSatisfy { $0.file?.hasSuffix("/transactions-2026-02-28.jsonl") == true })
        let strings = try folder.strings("2026-02")
        #expect(strings.contains("1 purchase at another product or storefront"))
        #expect(strings.contains(isProduct ? ">gems (CHN)<" : ">coins (CAN)<"))
        #expect(try close("2026-02", in: folder).code == .done)
        let later = try folder.nights.run(["monthly", "2026-01"]).output
        #expect(later.contains("CNY: 1 purchase at another product or storefront (sheet Restated"), "\(later)")
    }

    /// A day's credits are missing at the closing. A person accepts that, and another one takes it back a month later.
    @Test func whoDecidesAboutAGapOfAClosedMonthIsNamed() throws {
        let folder = try folder("2026-01-29", required: [.credits])
        try sell(2, "2026-01-30", isGiven: false, lost: "credits-2026-01-30.csv", in: folder)
        try sell(3, "2026-01-31", in: folder)
        #expect(try close("2026-01", in: folder).code == .look)
        let day = ["inbox/credits-{date}*.csv", "2026-01-30"]
        let said = day.joined(separator: " ")
        #expect(
            try folder.nights.run(["gap", "accept"] + day + ["--by", "mallory", "--note", "no sales"]).code == .done)
        try sell(4, "2026-02-01", in: folder)
        let february = try folder.nights.run(["monthly", "2026-02"])
        #expect(february.output.contains("  Gap accepted later: \(said), by mallory: no sales\n"), "\(february)")
        let strings = try folder.strings("2026-02")
        #expect(strings.contains("mallory: no sales"))
        #expect(strings.contains("Closed months that later evidence, a decision or a changed setting has changed"))
        #expect(!strings.contains("Closed months that later evidence has changed"))
        #expect(try folder.text("2026-02", "month.json").contains("\"gap_decisions\""))
        let csv = try folder.text("2026-02", "month.csv")
        #expect(csv.contains("\ngap_decisions,,\(day[0]),2026-01-30,accepted by mallory: no sales,1,"), "\(csv)")
        // The page that is signed names the kind of file, and the gap once.
        #expect(strings.contains("Gap accepted later: credits 2026-01-30 (mallory: no sales)"))
        #expect(!strings.contains(day[0]) && !february.output.contains("Gap filled"))
        try sell(5, "2026-02-28", in: folder)
        #expect(try close("2026-02", in: folder).output.contains("by mallory: no sales\n"))
        #expect(
            try folder.nights.run(["gap", "reopen"] + day + ["--by", "wang", "--note", "a mistake"]).code == .done)
        try sell(6, "2026-03-31", in: folder)
        let march = try folder.nights.run(["monthly", "2026-03"]).output
        #expect(march.contains("  Gap reopened later: \(said), by wang: a mistake\n") && !march.contains("mallory"))
    }

    /// Finance closes by day, after somebody changed a setting. The night that would judge by it comes later.
    @Test(arguments: [true, false])
    func aMonthIsNotClosedByOtherSettingsThanThoseOfItsNight(isSetBack: Bool) throws {
        let folder = try folder("2026-01-31")
        let text = try folder.nights.folder.read("reconcile.json")
        try folder.nights.folder.write(text.replacing("2010-01-01", with: "2026-01-20"), to: "reconcile.json")
        let refused = try close("2026-01", in: folder)
        #expect(refused.code == .usage, "\(refused)")
        #expect(refused.errors.contains("after the night of 2026-01-31, which judged 2026-01"))
        #expect(refused.errors.contains("historyFrom was 2010-01-01, now 2026-01-20"))
        #expect(refused.errors.contains("Run the next night first, or set the configuration back."))
        #expect(try folder.nights.ledger().monthSeals().isEmpty)
        if isSetBack {
            try folder.nights.folder.write(text, to: "reconcile.json")
        } else {
            try sell(2, "2026-02-01", in: folder)
        }
        #expect(try close("2026-01", in: folder).code == (isSetBack ? .done : .look))
    }

    /// One setting moves a purchase out of the month, and another one hides a loss.
    @Test func eachPurchaseNamesTheSettingThatMovedIt() throws {
        let folder = try folder("2026-01-10")
        let early = Sale(id: 2, minor: 600, at: "2026-01-01 00:30:00")
        let lost = Sale(id: 3, minor: 600, at: "2026-01-11 12:00:00")
        try folder.deliver(
            "2026-01-31", orders: [early, lost].map(folder.order), credits: [folder.credit(early, at: early.at)],
            transactions: [early, lost].map { folder.record($0) })
        try folder.night("2026-01-31")
        #expect(try close("2026-01", in: folder).code == .done)
        let text = try folder.nights.folder.read("reconcile.json").replacing("Asia/Shanghai", with: "UTC")
        let lines = text.split(separator: "\n").map {
            $0.contains("grace: ") ? "grace: {credit: \"1500h\", apple: \"168h\"}," : String($0)
        }
        try folder.nights.folder.write(lines.joined(separator: "\n"), to: "reconcile.json")
        try sell(4, "2026-02-27", in: folder)
        _ = try folder.month("2026-02")
        let rows = try folder.read("2026-02").restated_subjects
        #expect(rows.map(\.subject_id) == [2, 3].map(folder.transaction), "\(rows)")
        #expect(rows.first?.settings?["movements"] == ["timeZone"])
        #expect(rows.last?.settings == ["paid_not_credited": ["grace.credit"], "waiting": ["grace.credit"]])
        let strings = try folder.strings("2026-02")
        #expect(strings.contains(">changed setting: timeZone<") && strings.contains(">changed setting: grace.credit<"))
        #expect(!strings.contains("grace.credit, timeZone"))
    }

    /// A person accepts a gap of a closed month, and its file comes all the same. What changes is by the file.
    @Test func aDecisionWhoseFileCameIsNotNamed() throws {
        let folder = try folder("2026-01-29", required: [.credits])
        try sell(2, "2026-01-30", isGiven: false, lost: "credits-2026-01-30.csv", in: folder)
        try sell(3, "2026-01-31", in: folder)
        #expect(try close("2026-01", in: folder).code == .look)
        let words = [
            "gap", "accept", "inbox/credits-{date}*.csv", "2026-01-30", "--by", "mallory", "--note", "no sales",
        ]
        #expect(try folder.nights.run(words).code == .done)
        try sell(4, "2026-02-01", in: folder)
        #expect(try folder.nights.run(["monthly", "2026-02"]).output.contains("mallory"))
        let late = Sale(id: 2, minor: 600, at: "2026-01-30 12:00:00")
        try folder.deliver(
            "2026-01-30", orders: [folder.order(late)], credits: [folder.credit(late, at: late.at)],
            transactions: [folder.record(late)])
        try sell(5, "2026-02-02", in: folder)
        #expect(try !folder.nights.run(["monthly", "2026-02"]).output.contains("mallory"))
        #expect(try folder.read("2026-02").restated.map(\.period) == ["2026-01"])
        let json = try folder.text("2026-02", "month.json")
        #expect(!json.contains("gap_decisions") && !json.contains("mallory"))
        #expect(try !folder.strings("2026-02").contains("mallory"))
    }

    /// A day's credits are missing at the closing, so a loss of another day is undetermined. The file comes a month later.
    @Test func aFileThatCameAfterTheClosingIsNamedAsTheEndOfItsGap() throws {
        let folder = try MonthFolder(required: [.credits])
        try sell(1, "2026-01-29", isGiven: false, in: folder)
        try sell(2, "2026-01-30", lost: "credits-2026-01-30.csv", in: folder)
        try sell(3, "2026-01-31", in: folder)
        #expect(try close("2026-01", in: folder).code == .look)
        let late = Sale(id: 2, minor: 600, at: "2026-01-30 12:00:00")
        try folder.deliver(
            "2026-01-30", orders: [folder.order(late)], credits: [folder.credit(late, at: late.at)],
            transactions: [folder.record(late)])
        try sell(4, "2026-02-01", in: folder)
        let file = "inbox/credits-2026-01-30.csv, read by the night of 2026-02-01"
        let screen = try folder.nights.run(["monthly", "2026-02"]).output
        #expect(screen.contains("  Gap filled later: credits 2026-01-30 (\(file))\n"), "\(screen)")
        let strings = try folder.strings("2026-02")
        #expect(strings.contains("Gap filled later: credits 2026-01-30 (\(file))"))
        #expect(strings.contains("no new row: gap of credits 2026-01-30") && !strings.contains("a gap in the files"))
        #expect(try folder.text("2026-02", "month.csv").contains("\ngap_changes,,credits,2026-01-30,ended,1,"))
        let json = try folder.text("2026-02", "month.json")
        #expect(json.contains("\"gap_changes\"") && json.contains("\"night\": \"2026-02-01\""), "\(json)")
        // Said once.
        try sell(5, "2026-02-28", in: folder)
        #expect(try close("2026-02", in: folder).output.contains("Gap filled later"))
        try sell(6, "2026-03-31", in: folder)
        #expect(try !folder.nights.run(["monthly", "2026-03"]).output.contains("Gap filled later"))
    }
}
