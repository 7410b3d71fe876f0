import Engine
import Foundation
import Testing

@testable import Reconcile

/// Parts of a feed, rows without a kind, and what comes and goes.
extension RowSampleTests {
    private func configure(_ old: String, _ new: String, _ desk: DeskFolder) throws {
        let configuration = try desk.folder.read("reconcile.json")
        #expect(configuration.contains(old))
        try desk.folder.write(configuration.replacing(old, with: new), to: "reconcile.json")
    }

    private static let kindless = "it no longer has the column kind"

    private func withoutKind(_ row: [Substring]) -> [Substring] { Array(row.prefix(4) + row.dropFirst(5)) }

    /// One app's wallet has a kind, and the other one's has none.
    @Test func aPartOfAFeedThatNeverHadKindHasNotLostIt() throws {
        let desk = try DeskFolder()
        try configure("credits-{date}.csv", "credits*-{date}.csv", desk)
        func night(_ night: Int, hasKind: Bool = true, further: [String] = []) throws -> Ended {
            try sell(night, 4, desk)
            let name = "inbox/credits-\(desk.date(night)).csv"
            let rows = try desk.folder.read(name).split(separator: "\n")
            func text(_ rows: some Sequence<Substring>, hasKind: Bool) -> String {
                rows.map {
                    let row = $0.split(separator: ",", omittingEmptySubsequences: false)
                    return (hasKind ? row : withoutKind(row)).joined(separator: ",") + "\n"
                }
                .joined()
            }
            try desk.folder.write(text(rows.prefix(3), hasKind: hasKind), to: name)
            for (place, app) in (["b"] + further).enumerated() {
                try desk.folder.write(
                    text([rows[0], rows[3 + place]], hasKind: false), to: "inbox/credits-\(app)-\(desk.date(night)).csv"
                )
            }
            return try run(night, desk)
        }
        for number in 0...5 {
            let ended = try night(number)
            #expect(ended.code == 0, "\(number) \(ended)")
        }
        #expect(try night(6, further: ["c"]).code == 0)
        let lost = try night(7, hasKind: false)
        #expect(lost.code == 65 && lost.errors.contains("credits-\(desk.date(7)).csv is refused: " + Self.kindless))
        #expect(lost.errors.contains("give them a feed of their own"), "\(lost)")
    }

    /// The files of a new path have another name for it.
    @Test func aFeedThatReplacesAnotherOneHasHadItsKind() throws {
        let desk = try DeskFolder()
        for number in 0...3 {
            try sell(number, 4, desk)
            #expect(try run(number, desk).code == 0)
        }
        try sell(4, 4, desk)
        try rewrite("credits", 4, desk) { withoutKind($1) }
        try desk.folder.write(
            try desk.folder.read("inbox/credits-\(desk.date(4)).csv"), to: "inbox/grants-\(desk.date(4)).csv")
        try configure("credits-{date}.csv", "grants-{date}.csv", desk)
        let ended = try run(4, desk)
        #expect(ended.code == 65 && ended.errors.contains(Self.kindless), "\(ended)")
        #expect(ended.errors.contains("If no file will ever have a reversal"), "no reversal is on record")
    }

    @Test func aKindThatNeverHadAValueIsNotMissed() throws {
        let desk = try DeskFolder()
        for number in 0...4 {
            try sell(number, 4, desk)
            try rewrite("credits", number, desk) { line, row in
                number > 3 ? withoutKind(row) : line == 0 ? row : Array(row.prefix(4) + [""] + row.dropFirst(5))
            }
            #expect(try run(number, desk).code == 0, "\(number)")
        }
    }

    /// A query without a word for reversals leaves it empty in these rows alone.
    @Test(arguments: [true, false]) func aRowWithoutAKindIsNoCreditWhereOthersSayCredit(isMapped: Bool) throws {
        let desk = try DeskFolder(retry: "{ enabled: true, reverseRefunds: true }")
        if isMapped {
            try configure(
                "credits-{date}.csv\",", "credits-{date}.csv\", columns: { kind: { words: { \"\": \"credit\" } } },",
                desk)
        }
        try sell(0, 4, desk)
        _ = try run(0, desk)
        _ = try refund(
            1, changing: { $0[4] == "reversal" ? Array($0.prefix(4) + [""] + $0.dropFirst(5)) : $0 }, desk)
        #expect(try desk.folder.read("out/latest/rejected.jsonl").contains("other rows say credit") != isMapped)
    }

    /// The default is left out. A quiet time has no reversals.
    @Test func aKindThatOnlyReversalsHaveIsNeitherRejectedNorMissed() throws {
        let desk = try DeskFolder()
        try sell(0, 4, desk)
        _ = try run(0, desk)
        for number in 1...14 {
            func change(_ row: [Substring]) -> [Substring] {
                row[4] == "credit" ? Array(row.prefix(4) + [""] + row.dropFirst(5)) : row
            }
            if number < 5 {
                #expect(try refund(number, changing: change, desk).code == 0, "\(number)")
            } else {
                try sell(number, 4, desk)
                try rewrite("credits", number, desk) { change($1) }
                let ended = try run(number, desk)
                #expect(!ended.errors.contains("no row has a usable kind"), "\(number) \(ended)")
            }
            #expect(try desk.folder.read("out/latest/rejected.jsonl").isEmpty)
        }
    }

    /// The folder was copied, so that old files look new. They have the names of their time.
    @Test func aFileOnRecordIsNotJudgedByTheColumnsOfToday() throws {
        let desk = try DeskFolder()
        try sell(0, 4, desk)
        #expect(try run(0, desk).code == 0)
        try configure("orders-{date}.csv\",", "orders-{date}.csv\", columns: { status: \"state\" },", desk)
        try sell(1, 4, desk)
        try rewrite("orders", 1, desk) { $0 == 0 ? $1.map { $0 == "status" ? "state" : $0 } : $1 }
        let old = "inbox/orders-\(desk.date(0)).csv"
        try desk.folder.write(try desk.folder.read(old), to: old + ".copy")
        try FileManager.default.removeItem(atPath: desk.folder.path + "/" + old)
        try FileManager.default.moveItem(
            atPath: desk.folder.path + "/" + old + ".copy", toPath: desk.folder.path + "/" + old)
        let ended = try run(1, desk)
        #expect(ended.code == 0, "\(ended)")
    }

    /// A night is a night, although the feed brings no file. What the configuration says counts at once.
    @Test(arguments: [false, true]) func aLostColumnIsToldForSevenNightsWithoutFurtherFiles(isMeant: Bool) throws {
        let desk = try DeskFolder()
        let path = "inbox/web-{date}.csv\","
        try configure("feeds: [", "feeds: [ { kind: \"orders\", path: \"\(path) required: false },", desk)
        for number in 0...10 {
            try sell(number, 8, desk)
            if number < 4 {
                let name = "inbox/orders-\(desk.date(number)).csv"
                let rows = try desk.folder.read(name).split(separator: "\n")
                let web = [rows[0], rows[1], rows[2]].enumerated().map { line, row in
                    var row = row.split(separator: ",", omittingEmptySubsequences: false)
                    if line > 0 { row[6] = token(number, line) }
                    if number == 3 { row.remove(at: 6) }
                    return row.joined(separator: ",") + "\n"
                }
                try desk.folder.write(web.joined(), to: "inbox/web-\(desk.date(number)).csv")
                try desk.folder.write(([rows[0]] + rows.dropFirst(3)).map { $0 + "\n" }.joined(), to: name)
            }
            if isMeant, number == 5 {
                try configure(path, path + " columns: { app_account_token: null },", desk)
                #expect(try !desk.run(["check"]).output.contains("LOOK   columns"))
            }
            let ended = try run(number, desk)
            let isTold = 3..<(isMeant ? 5 : 10) ~= number
            #expect(ended.code == (isTold ? 3 : 0), "\(number) \(ended)")
        }
        #expect(try desk.run(["check"]).output.contains("LOOK   columns") != isMeant)
    }

    /// Another script exports at weekends.
    @Test func aColumnThatComesBackThreeTimesIsHowTheFeedIs() throws {
        let desk = try DeskFolder()
        for number in 0...25 {
            let isLost = number == 25 || (number > 2 && number < 18 && number % 2 == 1)
            try sell(number, 12, desk)
            try rewrite("orders", number, desk) { line, row in
                var row = row
                if line > 0 { row[6] = token(number, line) }
                if isLost { row.remove(at: 6) }
                return row
            }
            let ended = try run(number, desk)
            #expect(ended.code == (isLost && !(10..<20).contains(number) ? 3 : 0), "\(number) \(ended)")
        }
    }
}
