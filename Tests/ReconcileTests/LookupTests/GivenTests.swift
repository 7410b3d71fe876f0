import Domain
import Foundation
import Testing

@testable import Ledger
@testable import Reconcile

/// docs/spec/interfaces.md#given: two agents and a machine, one purchase, goods given once.
@Suite struct GivenTests {
    private static let transaction = "2000000123456789"
    private static let credit = "CR1,ORD1000000042,2000000123456789,acct-lost-7,credit,desk,"

    private func given(_ desk: DeskFolder, _ command: String = "given", by name: String = "Li") throws -> Ended {
        try desk.run([command, Self.transaction, "--by", name, "--note", "ticket 7"])
    }

    @Test(arguments: ["{ enabled: false }", "{}"])
    func theNextAgentReadsWhoGaveTheGoods(retry: String) throws {
        let desk = try DeskFolder.lostOrder(retry: retry)
        // The retry manifest also tells a machine to give the goods.
        let (isOut, first) = (retry == "{}", try given(desk))
        #expect(first.code == (isOut ? 1 : 0) && first.output.contains("tell the operator now") == isOut, "\(first)")
        #expect(try desk.safety(Self.transaction) == "given" && desk.safety("ORD1000000042") == "given")
        let shown = try desk.run(["lookup", Self.transaction], variables: ["COLUMNS": "300"]).output
        #expect(shown.contains("NO – Li (ticket 7) recorded at 2025-11-02 09:00:00 that the goods were given by hand."))
        let second = try given(desk, by: "Wang")
        #expect(second.code == 1 && second.output.contains("given already, by Li at 2025-11-02T01:00:00Z"), "\(second)")
        let file = try desk.folder.read("desk/given-2025-11.jsonl")
        #expect(file.split(separator: "\n").count == 1 && file.contains(#""by":"Li""#) && file.contains("ticket 7"))
        #expect(try given(desk, "ungiven").code == 0)
        #expect(try desk.safety(Self.transaction) == (isOut ? "retry_out" : "safe"))
        #expect(try given(desk, "ungiven").code == 66)
        #expect(try given(desk, by: "Wang").code == (isOut ? 1 : 0))
        #expect(try desk.safety(Self.transaction) == "given")
    }

    /// A note may begin with the words of the record's members.
    @Test(arguments: ["account locked: gave it after unlocking", "confirmed by phone"])
    func aNoteNamesNoAccountAndNobody(note: String) throws {
        let desk = try DeskFolder.lostOrder(retry: "{ enabled: false }")
        #expect(try desk.run(["given", Self.transaction, "--by", "Li", "--note", note]).code == 0)
        let shown = try desk.run(["lookup", Self.transaction], variables: ["COLUMNS": "300"]).output
        #expect(shown.contains("NO – Li (\(note)) recorded at"), "\(shown)")
        #expect(!shown.contains("records name account"))
    }

    /// A clock was ahead for a moment, or an agent says late when the goods were given. Lines count as they were written.
    @Test func aRecordStandsWhateverMonthWasWrittenBefore() throws {
        let desk = try DeskFolder.lostOrder()
        let now = desk.now
        _ = try given(desk, by: "Zhao")
        desk.now = now + .days(35)
        #expect(try given(desk, "ungiven", by: "Zhao").code == 0)
        for time in [now, now + .days(35)] {
            desk.now = time
            let options = ["--note", "evening", "--as-of", "2025-11-02T00:30:00Z"]
            #expect(try desk.run(["given", Self.transaction, "--by", "Li"] + options).code == 0)
            desk.now = now + .days(36)
            let second = try given(desk, by: "Wang")
            #expect(second.code == 1 && second.output.contains("given already, by Li"), "\(second)")
            #expect(try desk.look(Self.transaction)["subjects"].map { "\($0)" }?.contains("Li (evening)") == true)
            #expect(try given(desk, "ungiven", by: "Li").code == 0)
        }
        #expect(try desk.folder.read("desk/given-2025-12.jsonl").split(separator: "\n").count == 5)
    }

    /// A person keeps a copy in the desk's folder, and deletes it later.
    @Test func aCopyReceivesNoRecords() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try given(desk).code == 0 && given(desk, "ungiven").code == 0)
        let month = desk.folder.path + "/desk/given-2025-11.jsonl"
        let copy = desk.folder.path + "/desk/given-backup.jsonl"
        try FileManager.default.copyItem(atPath: month, toPath: copy)
        #expect(try given(desk, by: "Wang").code == 0)
        #expect(try desk.safety(Self.transaction) == "given")
        try FileManager.default.removeItem(atPath: copy)
        #expect(try desk.safety(Self.transaction) == "given")
        try FileManager.default.moveItem(atPath: month, toPath: copy)
        #expect(try desk.safety(Self.transaction) == "given")
    }

    @Test(arguments: [true, false]) func whatIsNoFileIsNamed(isFolder: Bool) throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try given(desk).code == 0)
        let path = desk.folder.path + "/desk/given-2026-01.jsonl"
        if isFolder {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        } else {
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere/x")
        }
        for ended in [try given(desk), try desk.run(["lookup", Self.transaction])] {
            #expect(
                ended.code == 74 && ended.errors.contains("given-2026-01.jsonl' is not a file. It is a folder"),
                "\(ended)")
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(try desk.safety(Self.transaction) == "given")
    }

    /// Nothing is withdrawn before it was recorded, so a withdrawal that is dated earlier holds as well.
    @Test func aWithdrawalOfAnEarlierTimeHolds() throws {
        let desk = try DeskFolder.lostOrder()
        _ = try given(desk)
        try desk.nights(1...1)
        #expect(
            try desk.run(["ungiven", Self.transaction, "--by", "Li", "--as-of", "2025-11-01T00:00:00Z"]).code == 0)
        #expect(try desk.safety(Self.transaction) == "safe")
        #expect(try desk.folder.read("desk/given-2025-11.jsonl").contains(#""at":"2025-11-02T01:00:00.001Z""#))
        #expect(try desk.run(["lookup", Self.transaction]).output.contains("and Li withdrew"))
    }

    /// A night may have read what was given before, and asks for the goods when it ends.
    @Test func nothingIsRecordedAsGivenWhileANightRuns() throws {
        let desk = try DeskFolder.lostOrder(retry: "{ enabled: false }")
        try desk.configure(settings: #"desk: { mayGive: ["li"] },"#)
        do {
            let night = try RunLock(of: desk.folder.path + "/ledger.sqlite", now: desk.now)
            let ended = try given(desk)
            #expect(ended.code == 75 && ended.errors.contains("Give nothing yet"), "\(ended)")
            let page = try desk.web(
                "id=\(Self.transaction)&given=\(Self.transaction)", by: "li", ["HTTP_ACCEPT_LANGUAGE": "en"])
            #expect(page.contains("Nothing was recorded, because a night is running. Give nothing yet."), "\(page)")
            #expect(page.hasPrefix("Status: 200 ") && page.contains("class=\"safe yes\""))
            #expect(try desk.safety(Self.transaction) == "safe" && given(desk, "ungiven").code == 66)
            _ = consume night
        }
        #expect(try given(desk).code == 0)
        #expect(try desk.safety(Self.transaction) == "given")
    }

    /// The request of the first user stands until a second one can confirm it.
    @Test func aNightEatsNoConfirmation() throws {
        let desk = try DeskFolder.lostOrder(retry: "{ enabled: false }")
        try desk.configure(settings: #"desk: { mayGive: ["li", "wang"], twoPersons: ["given"] },"#)
        func press(_ user: String) throws -> String {
            let confirms = user == "li" ? "" : "&confirms=li"
            return try desk.web("id=\(Self.transaction)&given=\(Self.transaction)" + confirms, by: user)
        }
        #expect(try press("li").contains("li asks to give"))
        do {
            let night = try RunLock(of: desk.folder.path + "/ledger.sqlite", now: desk.now)
            let page = try press("wang")
            #expect(page.contains("Nothing was recorded, because a night is running."), "\(page)")
            #expect(try desk.folder.read("desk/audit-2025-11.jsonl").contains(#""reason":"busy""#))
            _ = consume night
        }
        #expect(try press("wang").contains("Confirmed: li gives the goods"))
    }

    /// A lock of another process, on a file of another disk with the same inode, would keep the desk from its work.
    @Test(arguments: [
        ("708", 3939, true), ("70", 3939, false), ("709", 3939, false), ("708", 939, false), ("708", 3940, false),
    ])
    func onlyTheLockOfTheRunCounts(process: String, inode: UInt64, isHeld: Bool) {
        let locks = """
            1: POSIX  ADVISORY  WRITE 709 00:13:3939 0 EOF
            2: FLOCK  ADVISORY  WRITE 708 00:13:3939 0 EOF
            2: -> FLOCK  ADVISORY  WRITE 709 00:13:3939 0 EOF

            """
        #expect(RunLock.isHeld(by: "process \(process) since 2025-11-02T01:00:00Z", inode: inode, locks) == isHeld)
    }

    @Test func theNightWithdrawsItsEntryAndWaitsForTheCredit() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        #expect(try desk.manifestKeys().count == 1)
        _ = try given(desk)
        try desk.deliver("orders", night: 1)
        try desk.deliver("credits", night: 1)
        let night = try desk.run(["nightly", "--date", desk.date(1), "--as-of", desk.date(2) + "T04:00:00+08:00"])
        #expect(night.errors.contains("no credit came; the first is '2000000123456789' ('Li'"), "\(night.errors)")
        #expect(try desk.manifestKeys().isEmpty)
        #expect(try desk.folder.read("out/latest/exceptions.csv").contains(",wait,"))
        desk.now = desk.now + .hours(24)
        #expect(try desk.safety(Self.transaction) == "given")
        try desk.deliver("credits", [Self.credit + desk.noon(2)], night: 2)
        try desk.nights(2...2)
        #expect(try desk.rulings(Self.transaction) == ["matched/"])
        #expect(try desk.manifestKeys().isEmpty)
    }

    /// The backup is from before the night that read the hand-out, and somebody deleted the desk's file.
    @Test func aRestoreForgetsNoHandOut() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        #expect(try desk.run(["backup", "backup.sqlite"]).code == 0)
        _ = try given(desk)
        try desk.nights(1...1)
        try desk.folder.write("", to: "desk/given-2025-11.jsonl")
        #expect(try desk.run(["restore", "backup.sqlite", "--by", "Wang"]).code == 0)
        let night = try desk.run(["nightly", "--date", desk.date(1), "--as-of", desk.date(2) + "T04:00:00+08:00"])
        #expect(night.code == 3 && night.errors.contains("1 of 1 hand-out is missing"), "\(night.errors)")
        #expect(try desk.manifestKeys().isEmpty && desk.safety(Self.transaction) == "given")
    }

    /// What a night has read stands without the desk's files, until it is withdrawn. The night holds everything, because
    /// what no night has read may be lost as well.
    @Test(arguments: ["delete", "edit"])
    func handOutsThatAreGoneFromTheFilesStillCount(how: String) throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        func reason() throws -> String {
            try desk.subjects(Self.transaction)[0]["safe_reason"] as? String ?? ""
        }
        _ = try given(desk)
        try desk.nights(1...1)
        #expect(try desk.manifestKeys().isEmpty)
        let file = "desk/given-2025-11.jsonl"
        let text = try desk.folder.read(file)
        try desk.folder.write(how == "edit" ? text.replacing(Self.transaction, with: "2000000999999999") : "", to: file)
        desk.now = desk.now + .hours(24)
        try desk.deliver("orders", night: 2)
        try desk.deliver("credits", night: 2)
        let night = try desk.run(["nightly", "--date", desk.date(2), "--as-of", desk.date(3) + "T04:00:00+08:00"])
        let lost = "1 of 1 hand-out is missing from the desk's files (latest: 2025-11-02)"
        #expect(night.code == 3 && night.errors.contains(lost), "\(night.errors)")
        #expect(try desk.manifestKeys().isEmpty)
        #expect(try reason() == "given")
        #expect(try given(desk, by: "Wang").code == 1)
        #expect(try desk.run(["check"]).output.contains("1 of 1 hand-out is missing"))
        try desk.folder.write(text, to: file)
        try desk.deliver("orders", night: 3)
        try desk.deliver("credits", night: 3)
        // The id that stood in the edited file has been read by a night as well.
        let back = try desk.run(["nightly", "--date", desk.date(3)])
        #expect(back.code == (how == "edit" ? 3 : 0), "\(back.errors)")
        // A withdrawal counts without the lines before it, and a later hand-out counts again.
        try desk.folder.write("", to: file)
        #expect(try given(desk, "ungiven").code == 0)
        #expect(try reason() != "given")
        try desk.nights(4...4)
        try desk.folder.write("", to: file)
        #expect(try reason() != "given")
        // An entry is out again, or held.
        #expect(try given(desk).code == (how == "edit" ? 0 : 1) && reason() == "given")
    }

    /// The consumer may apply the last attempt after the files of the night that ends it were written.
    @Test(arguments: [false, true])
    func theLastAttemptIsWaitedForUntilItExpires(isCaughtUp: Bool) throws {
        let desk = try DeskFolder.lostOrder(retry: "{ maxAttempts: 1 }")
        for number in 1...5 {
            try desk.deliver("orders", night: number)
            try desk.deliver("credits", night: number)
        }
        func night(_ number: Int, _ asOf: String) throws -> String {
            let ended = try desk.run(["nightly", "--date", desk.date(number), "--as-of", asOf + ":00+08:00"])
            #expect(ended.code == 0, "\(ended.errors)")
            desk.now = Instant(strict: desk.date(number + 1) + "T15:00:00Z")!
            return try desk.subjects(Self.transaction)[0]["safe_reason"] as? String ?? ""
        }
        if isCaughtUp {
            // One morning runs three nights, the first of them again: its line is valid for a day from then on.
            for number in 0...2 {
                #expect(try night(number, desk.date(3) + "T08:0\(number)") == "retry_out", "\(number)")
            }
            #expect(try night(3, desk.date(4) + "T04:00") == "retry_out")
            #expect(try night(4, desk.date(5) + "T04:00") == "safe_after_tries")
        } else {
            // The line is valid up to 04:00 of this night, whose files end at midnight.
            #expect(try night(1, desk.date(2) + "T04:00") == "retry_out")
            #expect(try night(2, desk.date(3) + "T04:00") == "safe_after_tries")
        }
    }

    /// A consumer that never answers probably does not run, so the agent should not wait for it.
    @Test func afterTwoEmissionsWithoutAnAnswerTheDeskAsksTheBackend() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        #expect(try desk.safety(Self.transaction) == "retry_out")
        try desk.nights(1...1)
        #expect(try desk.safety(Self.transaction) == "retry_silent")
    }

    /// The page said that no machine gives the goods, and a night may run late: its entries are acted on after it ran.
    @Test func aRecordMadeAfterANightsTimeCounts() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        let given = ["given", Self.transaction, "--by", "Li", "--as-of", desk.date(9) + "T10:00:00+08:00"]
        let early = try desk.run(given)
        #expect(early.code == 64 && early.errors.contains("is later than now"), "\(early)")
        // No reader of the record takes such a time.
        let old = try desk.run(["given", Self.transaction, "--by", "Li", "--as-of", "1025-11-01T10:00:00+08:00"])
        #expect(old.code == 64 && old.errors.contains("is before 1970"), "\(old)")
        try desk.folder.write("transaction_id,note\n\(Self.transaction),x\n", to: "list.csv")
        let list = [
            "given", "--from", desk.folder.path + "/list.csv", "--by", "Li", "--as-of",
            desk.date(9) + "T10:00:00+08:00",
        ]
        #expect(try desk.run(list).code == 64)
        desk.now = desk.now + .hours(24 * 10)
        #expect(try desk.run(given).code == 0)
        try desk.nights(1...1)
        #expect(try desk.manifestKeys().isEmpty)
    }

    /// A full disk cuts a line off. That costs this one record, and nothing else.
    @Test func aLineThatWasCutOffIsSetAside() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        _ = try given(desk)
        let whole = try desk.folder.read("desk/given-2025-11.jsonl")
        try desk.folder.write(whole + #"{"at":"2025-11-02T01:00:00Z","transact"#, to: "desk/given-2025-11.jsonl")
        try desk.deliver("orders", night: 1)
        try desk.deliver("credits", night: 1)
        let night = try desk.run(["nightly", "--date", desk.date(1), "--as-of", desk.date(2) + "T04:00:00+08:00"])
        #expect(night.code == 0 && night.errors.contains("was not written to its end"), "\(night.errors)")
        #expect(try desk.manifestKeys().isEmpty)
        #expect(try desk.safety(Self.transaction) == "given")
        let ended = try given(desk, "ungiven")
        #expect(ended.code == 0 && ended.errors.contains("It was set aside there"), "\(ended)")
        #expect(
            try desk.folder.read("desk/given-2025-11.jsonl.torn") == #"{"at":"2025-11-02T01:00:00Z","transact"# + "\n")
        #expect(try given(desk, "ungiven").code == 66)
        // A line in the middle was written by no such writer.
        try desk.folder.write("{\n" + whole, to: "desk/given-2025-11.jsonl")
        #expect(try given(desk).code == 74)
    }

    /// A ledger that `cp` put back does not know what went out since.
    @Test func aLedgerThatIsOlderThanItsReportsIsNamed() throws {
        let desk = try DeskFolder.lostOrder(retry: "{}")
        _ = try Program.shell("cp ledger.sqlite older", in: desk.folder.path)
        try desk.nights(1...2)
        _ = try Program.shell("rm -f ledger.sqlite*; cp older ledger.sqlite", in: desk.folder.path)
        #expect(try desk.safety(Self.transaction) == "stale", "an entry of a later run may have been acted on")
        try desk.deliver("orders", night: 3)
        try desk.deliver("credits", night: 3)
        let night = try desk.run(["nightly", "--date", desk.date(3), "--as-of", desk.date(4) + "T04:00:00+08:00"])
        #expect(night.code == 3 && night.errors.contains("older ledger: run "), "\(night.errors)")
        #expect(night.errors.contains("of run 2, and the ledger ends with run 1"), "\(night.errors)")
        #expect(try desk.folder.read("out/latest/retry-manifest.jsonl") == "")
        let check = try desk.run(["check"])
        #expect(check.output.contains("LOOK   ledger and reports belong together"), "\(check)")
    }

    /// All rows of a list or none; a purchase that was given already is answered and not recorded again.
    @Test func manyAreRecordedFromAList() throws {
        let desk = try DeskFolder.lostOrder()
        func from(_ list: String, _ options: [String] = []) throws -> Ended {
            try desk.folder.write(list, to: "list.csv")
            return try desk.run(["given", "--from", desk.folder.path + "/list.csv", "--by", "Li"] + options)
        }
        let list = "transaction_id,note\n\(Self.transaction),ticket 7\n"
        let unknown = try from(list + "1,x\n")
        #expect(unknown.code == 66 && unknown.errors.contains("line 3: '1'"), "\(unknown)")
        let dry = try from(list, ["--dry-run"])
        #expect(dry.code == 0 && dry.output.contains("1 of 1 purchases would be recorded as given: CNY "), "\(dry)")
        #expect(try desk.safety(Self.transaction) == "safe")
        let ended = try from(list)
        #expect(ended.code == 0 && ended.output.contains("is recorded as given: ticket 7."), "\(ended)")
        #expect(try desk.safety(Self.transaction) == "given")
        let again = try from(list)
        #expect(again.code == 1 && again.output.contains("was given already, by Li at"), "\(again)")
        #expect(try desk.folder.read("desk/given-2025-11.jsonl").split(separator: "\n").count == 1)
        #expect(try desk.run(["given", "--by", "Li"]).code == 64)
        #expect(try desk.run(["given", Self.transaction, "--by", "Li", "--dry-run"]).code == 64)
    }

    @Test func whatIsNotOnRecordIsNotRecorded() throws {
        let desk = try DeskFolder.lostOrder()
        #expect(try desk.run(["given", "2000000123456780", "--by", "Li"]).code == 66)
        #expect(try desk.run(["given", "acct-lost-7", "--by", "Li"]).code == 66)
        #expect(try desk.run(["given", Self.transaction]).code == 64)
        #expect(!FileManager.default.fileExists(atPath: desk.folder.path + "/desk/given-2025-11.jsonl"))
    }

    @Test func aDamagedRecordStopsEverybody() throws {
        let desk = try DeskFolder.lostOrder()
        _ = try given(desk)
        try desk.folder.write(
            desk.folder.read("desk/given-2025-11.jsonl").dropLast(9) + "\n", to: "desk/given-2025-11.jsonl")
        let ended = try desk.run(["lookup", Self.transaction])
        #expect(ended.code == 74 && ended.errors.contains("given-2025-11.jsonl', line 1"), "\(ended.errors)")
        #expect(try desk.run(["nightly", "--date", desk.date(1)]).code == 74)
    }

    /// A credit by the order's number alone counts only where nothing else is possible, so the operator is told.
    @Test func aDeskCreditWithoutATransactionIsNamed() throws {
        let desk = try DeskFolder.lostOrder()
        try desk.deliver("orders", night: 1)
        try desk.deliver(
            "credits", ["CR1,ORD1000000077,,acct-lost-7,credit,desk,\(desk.noon(1))"], night: 1)
        let night = try desk.run(["nightly", "--date", desk.date(1), "--as-of", desk.date(2) + "T04:00:00+08:00"])
        let place = "'CR1' (inbox/credits-2025-11-02.csv:2)"
        #expect(
            night.errors.contains("1 credit of the desk without a transaction; the first is \(place)"),
            "\(night.errors)"
        )
    }
}
