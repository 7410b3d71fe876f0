import Foundation
import Testing

@testable import Ledger
@testable import Reconcile

/// The bundle ids of the configuration count when a case is judged, not when its rows are read. See
/// docs/spec/rules.md#bundle-ids.
@Suite struct BundleTests {
    private let desk: DeskFolder

    init() throws { desk = try DeskFolder(retry: "{}") }

    private func edit(_ file: String, _ old: String, _ new: String) throws {
        try desk.folder.write(desk.folder.read(file).replacing(old, with: new), to: file)
    }

    /// Runs the night again, some minutes after four.
    private func again(_ night: Int, minute: Int) throws -> Ended {
        try desk.run([
            "nightly", "--date", desk.date(night), "--as-of", desk.date(night + 1) + "T04:\(minute):00+08:00",
        ])
    }

    private func expect(_ number: Int, _ ruling: String, _ line: Int = #line) throws {
        let rulings = try desk.rulings(DeskFolder.sold(number))
        #expect(rulings.count == 1 && rulings[0].hasPrefix(ruling), "line \(line): \(rulings)")
    }

    private func lines(_ name: String) throws -> Int {
        try desk.folder.read("out/latest/" + name).split(separator: "\n").count
    }

    /// A shop of nine purchases a day, which no figure of the guard watches, and one of eighty.
    @Test(arguments: [9, 80])
    func aMistypedIDIsMendedByCorrectingIt(count: Int) throws {
        let lost = count / 4
        try desk.sell(0..<count, credited: 0..<count, night: 0)
        try desk.night(0)
        try desk.sell(100..<100 + count, credited: 100..<100 + count - lost, night: 1)
        try edit("reconcile.json", "com.example.game", "com.example.gmae")
        let wrong = try again(1, minute: 10)
        #expect(wrong.errors.contains("app.bundleIDs was com.example.game, now com.example.gmae"))
        #expect(try wrong.code == (count < 20 ? 0 : 3) && lines("retry-manifest.jsonl") == 0)
        try expect(100, "invalid_transaction/wrong_bundle")
        // What an earlier night read under the right id is as it was.
        try expect(0, "matched")
        try edit("reconcile.json", "com.example.gmae", "com.example.game")
        let right = try again(1, minute: 20)
        #expect(right.code == 0, "\(right)")
        #expect(try lines("retry-manifest.jsonl") == lost)
        try expect(100, "matched")
        let listed = try desk.folder.read("out/latest/exceptions.csv").split(separator: "\n")
        #expect(listed.allSatisfy { !$0.contains("wrong_bundle") || $0.contains("resolved") }, "\(listed)")
        // The credited purchases are not loaded any more, and are counted as what they are.
        try desk.sell(200..<200 + count, credited: 200..<200 + count, night: 2)
        try desk.night(2)
        #expect(try !desk.folder.read("out/latest/summary.txt").contains("CHECK FIRST"))
        #expect(try lines("retry-manifest.jsonl") == lost)
        #expect(try !desk.run(["check"]).output.contains("WRONG"))
    }

    /// Another company's app was listed by mistake. Its purchases get no goods, and no customer is accused.
    @Test func anIDThatIsNoLongerConfiguredProvesNothing() throws {
        let both = #""com.example.game", "com.example.other""#
        try edit("reconcile.json", #""com.example.game""#, both)
        try desk.sell(0..<3, credited: 0..<1, night: 0)
        let file = "inbox/transactions-\(desk.date(0)).jsonl"
        let rows = try desk.folder.read(file).split(separator: "\n")
        let others = rows[1...].map { $0.replacing("com.example.game", with: "com.example.other") }
        try desk.folder.write(([rows[0]] + others).joined(separator: "\n") + "\n", to: file)
        try desk.night(0)
        #expect(try lines("retry-manifest.jsonl") == 2)
        try edit("reconcile.json", both, #""com.example.game""#)
        #expect(try again(0, minute: 10).code == 0)
        #expect(try lines("retry-manifest.jsonl") == 0)
        try expect(1, "waiting/order_unverified")
        // A new row of a case makes the ledger write all of them again, with the proof that they were read with.
        try desk.sell(1..<2, credited: 1..<2, night: 1)
        try desk.folder.write("\n", to: "inbox/transactions-\(desk.date(1)).jsonl")
        try desk.night(1)
        try expect(1, "waiting/credited_not_paid")
        try edit("reconcile.json", #""com.example.game""#, both)
        let back = try again(1, minute: 10)
        #expect(back.code == 0, "\(back)")
        try expect(1, "matched")
        try expect(2, "paid_not_credited")
        let checked = try desk.run(["check"]).output
        #expect(!checked.contains("WRONG"), "\(checked)")
    }
}
