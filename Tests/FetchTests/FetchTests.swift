import Console
import Domain
import Foundation
import Glibc
import Testing

@testable import Fetch

@Suite struct DayTests {
    private func setUp(_ settings: String = "historyFrom: \"2026-11-20\",", feeds: String = "") throws -> FetchSetUp {
        try FetchSetUp(settings: settings, feeds: feeds)
    }

    @Test func eachMissingDayBecomesAFile() throws {
        let setUp = try setUp()
        setUp.add("2026-11-22T00:00:00", "a.b.c")
        setUp.add("2026-11-22T12:00:00", "d.e.f")
        setUp.add("2026-11-22T23:59:59", "g.h.i")
        setUp.add("2026-11-20T12:00:00", "j.k.l")
        setUp.add("2026-11-19T12:00:00", "too.old.here")
        setUp.add("2026-11-23T01:00:00", "too.young.here")
        #expect(try setUp.run("fetch").code == 0, "\(setUp.messages)")
        #expect(setUp.visible == ["apple-2026-11-20.jsonl", "apple-2026-11-21.jsonl", "apple-2026-11-22.jsonl"])
        let lines = try setUp.read("inbox/apple-2026-11-22.jsonl").split(separator: "\n").map(String.init)
        #expect(
            Set(lines)
                == ["a.b.c", "d.e.f", "g.h.i"].map { "{\"signedPayload\":\"\($0)\"}" }.reduce(into: []) {
                    $0.insert($1)
                })
        #expect(try setUp.read("inbox/apple-2026-11-20.jsonl") == "{\"signedPayload\":\"j.k.l\"}\n")
        // Midnight belongs to both days, if Apple's range includes its ends.
        #expect(try setUp.read("inbox/apple-2026-11-21.jsonl") == "{\"signedPayload\":\"a.b.c\"}\n")
        #expect(setUp.messages.contains("2026-11-22: 3 notifications from Apple (2 pages)"))
        #expect(setUp.messages.contains("Apple could not deliver 3 notifications to the shop's server: NO_RESPONSE 3"))
    }

    @Test func whatIsThereIsNotAskedFor() throws {
        let setUp = try setUp()
        try setUp.write("mine", to: "inbox/apple-2026-11-22.jsonl")
        try setUp.write("mine", to: "inbox/apple-2026-11-21.jsonl.gz")
        _ = try setUp.run("fetch")
        #expect(setUp.world.requests.count == 1)
        #expect(try setUp.read("inbox/apple-2026-11-22.jsonl") == "mine")
        #expect(setUp.visible == ["apple-2026-11-20.jsonl", "apple-2026-11-21.jsonl.gz", "apple-2026-11-22.jsonl"])
    }

    @Test func fetchingGoesBackAsFarAsAppleAndTheConfigurationAllow() throws {
        let all = try setUp("")
        _ = try all.run("fetch", "--rate", "1000")
        #expect(all.visible.count == 180 && all.visible.first == "apple-2026-05-27.jsonl")
        let since = try setUp(feeds: "since: \"2026-11-21\"")
        _ = try since.run("fetch")
        #expect(since.visible == ["apple-2026-11-21.jsonl", "apple-2026-11-22.jsonl"])
    }

    @Test func aDayIsLeftToSettle() throws {
        let setUp = try setUp("historyFrom: \"2026-11-21\",")
        setUp.now = Instant(milliseconds: setUp.now.milliseconds - 3 * 3_600_000 + 14 * 60_000)
        _ = try setUp.run("fetch")
        #expect(setUp.visible == ["apple-2026-11-21.jsonl"])
        setUp.now = setUp.now + .minutes(1)
        _ = try setUp.run("fetch")
        #expect(setUp.visible == ["apple-2026-11-21.jsonl", "apple-2026-11-22.jsonl"])
    }

    /// Neither the order nor the pages nor repetitions in what Apple sends change a byte.
    @Test func theSameNotificationsAreTheSameBytes() throws {
        var files: Set<String> = []
        for variant in 0..<3 {
            let setUp = try setUp("historyFrom: \"2026-11-22\",")
            for number in 0..<40 { setUp.add("2026-11-22T12:00:\(10 + number)", "p\(number).b.c") }
            setUp.world.pageSize = [2, 7, 20][variant]
            setUp.world.isReversed = variant == 1
            if variant == 2 { setUp.world.notifications += setUp.world.notifications.shuffled().prefix(15) }
            _ = try setUp.run("fetch")
            files.insert(try setUp.read("inbox/apple-2026-11-22.jsonl"))
        }
        #expect(files.count == 1 && files.first?.split(separator: "\n").count == 40)
    }

    @Test func aDayIsTheSumOfItsHours() throws {
        let setUp = try setUp()
        for number in 0..<200 {
            setUp.world.notifications.append((1_795_276_800_000 + Int64(number) * 432_000, "p\(number).b.c"))
        }
        let key = try #require(PrivateKey(pem: Array(try setUp.read("key.p8").utf8)))
        let client = AppleClient(
            Credentials(issuerID: "i", keyID: "k", key: key), transport: setUp.world,
            surroundings: Surroundings(now: { setUp.now }, sleep: { _ in }, chance: { 0 }), rate: 1000)
        func payloads(_ from: Int64, _ to: Int64) throws -> Set<String> {
            var found: Set<String> = []
            _ = try client.notifications(
                of: "b", on: .production, from: Instant(milliseconds: from), to: Instant(milliseconds: to)
            ) { found.insert(String(decoding: $0.signedPayload ?? $0.item, as: UTF8.self)) }
            return found
        }
        let start: Int64 = 1_795_276_800_000
        let hours = try (0..<24).map { try payloads(start + $0 * 3_600_000, start + ($0 + 1) * 3_600_000) }
        #expect(try payloads(start, start + 86_400_000) == hours.reduce([]) { $0.union($1) })
    }

    @Test(arguments: [1, 2, 3, 4])
    func anErrorLeavesNoHalfFile(request: Int) throws {
        let setUp = try setUp()
        for date in ["20", "21", "22"] {
            for hour in ["10", "11", "12"] { setUp.add("2026-11-\(date)T\(hour):00:00", "p\(date)\(hour).b.c") }
        }
        setUp.world.troubles = [request: Response(status: 401)]
        #expect(try setUp.run("fetch").code == 69)
        #expect(setUp.messages.contains("reconcile: error: Apple does not accept the key (401): "))
        for name in setUp.visible { #expect(try setUp.read("inbox/" + name).split(separator: "\n").count == 3) }
        #expect(setUp.visible.count == (request - 1) / 2)
        #expect(try setUp.read("inbox/.fetch.prom").contains("reconcile_fetch_exit_code 69\n"))
        // The next run fetches the rest.
        setUp.world.troubles = [:]
        #expect(try setUp.run("fetch").code == 0)
        #expect(setUp.visible.count == 3)
    }

    @Test func anAnswerThatIsNotApplesIsNoEmptyDay() throws {
        let setUp = try setUp("historyFrom: \"2026-11-22\",")
        setUp.world.troubles = [1: .text("{\"notificationHistory\": null, \"hasMore\": null}")]
        #expect(try setUp.run("fetch").code == 69)
        #expect(setUp.visible == [] && setUp.messages.contains("It begins with '{\"notificationHistory\": null"))
        #expect(setUp.messages.contains("Check whether a proxy stands between"))
    }

    /// One odd item does not keep the others of its day from the night.
    @Test func whatHasNoSignedPayloadIsSetAside() throws {
        let setUp = try setUp("historyFrom: \"2026-11-22\",")
        for hour in ["10", "11", "12"] { setUp.add("2026-11-22T\(hour):00:00", "p\(hour).b.c") }
        let odd = ["{ \"signedPayload\" : null,\n  \"x\":\"\\u00e9\" }", "{\"signedPayload\":\"a.b\"}"]
        for item in odd + odd { setUp.add("2026-11-22T11:30:00", item) }
        #expect(try setUp.run("fetch").code == 0, "\(setUp.messages)")
        #expect(setUp.visible == ["apple-2026-11-22.jsonl"])
        #expect(try setUp.read("inbox/apple-2026-11-22.jsonl").split(separator: "\n").count == 3)
        let aside = setUp.folder + "/inbox/.apple-2026-11-22.jsonl.unsigned"
        #expect(try setUp.read("inbox/.apple-2026-11-22.jsonl.unsigned") == odd.map { $0 + "\n" }.joined())
        #expect(setUp.messages.contains("2026-11-22: 2 notifications have no signed payload and were set aside in"))
        #expect(setUp.messages.contains(aside))
        #expect(try setUp.read("inbox/.fetch.prom").contains("reconcile_fetch_unsigned 2\n"))
        // A day that comes whole the next time has no such file.
        setUp.world.notifications.removeAll { $0.payload.hasPrefix("{") }
        try FileManager.default.removeItem(atPath: setUp.folder + "/inbox/apple-2026-11-22.jsonl")
        #expect(try setUp.run("fetch").code == 0 && !FileManager.default.fileExists(atPath: aside))
    }

    /// Where most of a day lacks its payload, the answer is not Apple's. So is one with many such items.
    @Test(arguments: [(signed: 1, odd: 2), (signed: 0, odd: 1), (signed: 200, odd: 101)])
    func aDayMostlyWithoutSignedPayloadsIsRefused(signed: Int, odd: Int) throws {
        let setUp = try setUp("historyFrom: \"2026-11-22\",")
        setUp.world.pageSize = 50
        for number in 0..<signed { setUp.add("2026-11-22T10:00:00", "p\(number).b.c") }
        for number in 0..<odd { setUp.add("2026-11-22T11:00:00", "{\"number\":\(number)}") }
        #expect(try setUp.run("fetch").code == 69)
        #expect(setUp.visible == [] && setUp.messages.contains(" notifications of a day have no signed payload"))
        let names = try FileManager.default.contentsOfDirectory(atPath: setUp.folder + "/inbox")
        #expect(!names.contains { $0.hasSuffix(".unsigned") })
    }

    @Test func whatAppleForgotIsLeftOut() throws {
        let setUp = try setUp()
        setUp.world.troubles = [2: .error(400, 4_000_012)]
        #expect(try setUp.run("fetch").code == 0)
        #expect(setUp.visible == ["apple-2026-11-22.jsonl"])
        #expect(setUp.messages.contains("Apple no longer keeps the notifications of 2026-11-21 and before"))
    }

    @Test func aLeftoverIsReplacedAndAnInboxMustExist() throws {
        let setUp = try setUp("historyFrom: \"2026-11-22\",")
        for name in ["apple-2026-11-22.jsonl", "apple-acks-2026-11-01.jsonl", "orders-2026-11-22.csv"] {
            try setUp.write("half", to: "inbox/.\(name).part")
        }
        try setUp.write("half", to: "inbox/.fetch.spool")
        #expect(try setUp.run("fetch").code == 0)
        // A file without a byte would be refused.
        #expect(try setUp.read("inbox/apple-2026-11-22.jsonl") == "\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: setUp.folder + "/inbox")
        // What belongs to others stays.
        let rest = names.filter { $0.hasSuffix(".part") || $0.hasSuffix(".spool") }
        #expect(rest == [".orders-2026-11-22.csv.part"])
    }

    @Test func oneFetchAtATime() throws {
        let setUp = try setUp()
        let lock = try OpenFile(locking: setUp.folder + "/inbox/.fetch.lock")
        let isTaken = lock.lock(waits: false)
        #expect(isTaken)
        #expect(try setUp.run("fetch").code == 75)
        lock.unlock()
        #expect(try setUp.run("fetch").code == 0)
    }
}

@Suite struct KeyTests {
    @Test(arguments: [0o600: 0, 0o400: 0, 0o640: 77, 0o604: 77, 0o660: 77] as [mode_t: Int32])
    func othersMustNotReadTheKey(mode: mode_t, code: Int32) throws {
        let setUp = try FetchSetUp(settings: "historyFrom: \"2026-11-22\",")
        chmod(setUp.folder + "/key.p8", mode)
        #expect(try setUp.run("fetch").code == code)
        if code != 0 {
            #expect(setUp.messages.contains("other users may read the key"))
            #expect(setUp.world.requests.isEmpty)
        }
    }

    @Test func aCredentialReplacesTheFile() throws {
        let setUp = try FetchSetUp(settings: "historyFrom: \"2026-11-22\",")
        try FileManager.default.createDirectory(
            atPath: setUp.folder + "/credentials", withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            atPath: setUp.folder + "/key.p8", toPath: setUp.folder + "/credentials/apple-key")
        // systemd's access list shows as the group's bits.
        chmod(setUp.folder + "/credentials/apple-key", 0o440)
        #expect(try setUp.run("fetch").code == 78)
        setUp.variables["CREDENTIALS_DIRECTORY"] = setUp.folder + "/credentials"
        #expect(try setUp.run("fetch").code == 0, "\(setUp.messages)")
    }

    @Test func whatIsNotAKeyIsNotShown() throws {
        let setUp = try FetchSetUp()
        try setUp.write("-----BEGIN PRIVATE KEY-----\nSECRETSECRET\n-----END PRIVATE KEY-----\n", to: "key.p8")
        chmod(setUp.folder + "/key.p8", 0o600)
        #expect(try setUp.run("fetch").code == 78)
        #expect(setUp.messages.contains("is not a private key of Apple's") && !setUp.messages.contains("SECRET"))
    }
}

@Suite struct ManifestTests {
    private func setUp(_ entries: [(key: String, action: String, transaction: String)]) throws -> FetchSetUp {
        let setUp = try FetchSetUp(settings: "historyFrom: \"2026-11-22\",")
        let lines = entries.map {
            "{\"action\":\"\($0.action)\",\"bundle_id\":\"com.example.game\",\"key\":\"\($0.key)\","
                + "\"schema\":\"reconcile.retry/1\",\"transaction_id\":\"\($0.transaction)\"}\n"
        }.joined()
        try FileManager.default.createDirectory(
            atPath: setUp.folder + "/out/.nights/2026-11-21-1", withIntermediateDirectories: true)
        try setUp.write(lines, to: "out/.nights/2026-11-21-1/retry-manifest.jsonl")
        try FileManager.default.createSymbolicLink(
            atPath: setUp.folder + "/out/latest", withDestinationPath: ".nights/2026-11-21-1")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "cd \"$0/out/latest\" && sha256sum retry-manifest.jsonl >SHA256SUMS", setUp.folder]
        try process.run()
        process.waitUntilExit()
        return setUp
    }

    @Test func entriesForTransactionsAreAnswered() throws {
        let setUp = try setUp([
            ("K1", "fetch_transaction", "1001"), ("K2", "credit", "1002"), ("K3", "fetch_transaction", "1003"),
            ("K4", "fetch_transaction", "1004"),
        ])
        setUp.world.transactions = ["1001": "a.b.c"]
        setUp.world.sandbox = ["1003": "d.e.f"]
        #expect(try setUp.run("fetch").code == 0, "\(setUp.messages)")
        #expect(
            try setUp.read("inbox/apple-asked-2026-11-22.jsonl")
                == "{\"signedTransactionInfo\":\"a.b.c\"}\n{\"signedTransactionInfo\":\"d.e.f\"}\n")
        let acks = try setUp.read("inbox/apple-acks-2026-11-22.jsonl").split(separator: "\n")
        #expect(acks.count == 3)
        #expect(acks[0].contains("\"key\":\"K1\"") && acks[0].contains("\"outcome\":\"applied\""))
        #expect(acks[1].contains("\"key\":\"K3\"") && acks[1].contains("fetched from Apple's sandbox"))
        #expect(acks[2].contains("\"outcome\":\"precondition_failed\"") && acks[2].contains("4040010"))
        // Once answered, an entry is not asked about again.
        let count = setUp.world.requests.count
        #expect(try setUp.run("fetch").code == 0)
        #expect(setUp.world.requests.count == count)
        #expect(try setUp.read("inbox/apple-acks-2026-11-22.jsonl").split(separator: "\n").count == 3)
    }

    @Test func aManifestThatWasChangedIsNotFollowed() throws {
        let setUp = try setUp([("K1", "fetch_transaction", "1001")])
        try setUp.write("{}\n", to: "out/latest/retry-manifest.jsonl")
        #expect(try setUp.run("fetch").code == 65)
        #expect(setUp.visible == ["apple-2026-11-22.jsonl"])
    }
}

@Suite struct OtherFetchTests {
    @Test func aFinancialReportIsKeptUnderItsLastDay() throws {
        let setUp = try FetchSetUp()
        #expect(try setUp.run("fetch", "--finance", "2026-10").code == 66)
        setUp.world.report = [0x1F, 0x8B, 7]
        #expect(try setUp.run("fetch", "--finance", "2026-10").code == 0)
        #expect(setUp.visible == ["apple-finance-2026-10-31.txt.gz"])
        let path = try #require(setUp.world.requests.last?.path)
        #expect(path.contains("filter%5BreportDate%5D=2027-01"))
        // The detail report of all regions.
        #expect(path.contains("regionCode%5D=Z1") && path.contains("reportType%5D=FINANCE_DETAIL"))
        let count = setUp.world.requests.count
        #expect(try setUp.run("fetch", "--finance", "2026-10").code == 0 && setUp.world.requests.count == count)
        #expect(try setUp.run("fetch", "--finance", "2026-13").code == 64)
    }

    @Test(arguments: ["2025-11": "2026-02", "2025-09": "2025-12", "2025-10": "2026-01", "2025-07": "2025-10"])
    func applesPeriodsBeginInOctober(month: String, period: String) {
        #expect(FetchTask.fiscalPeriod(of: month) == period)
    }

    @Test func theKeysCanBeTried() throws {
        let setUp = try FetchSetUp()
        let good = try setUp.run("online")
        #expect(
            good.code == 0 && good.output.split(separator: "\n").count == 2 && !good.output.contains("problem\":\""))
        setUp.world.troubles = [setUp.world.requests.count + 1: Response(status: 401)]
        #expect(try setUp.run("online").output.contains("Apple does not accept the key (401)"))
    }

    @Test func answersAreLines() throws {
        let setUp = try FetchSetUp()
        setUp.world.transactions = ["1001": "a.b.c"]
        let lines = try setUp.run("answers", "1001", "1002").output.split(separator: "\n").map(String.init)
        let answers = try lines.map(AppleAnswer.init(recordText:))
        #expect(answers[0].signed == ["a.b.c"] && answers[0].row == "{\"signedTransactionInfo\":\"a.b.c\"}")
        #expect(answers[1] == AppleAnswer(id: "1002", isOrder: false, signed: []))
    }

    @Test func linesAreAddedOnce() throws {
        let setUp = try FetchSetUp()
        let file = LineSetFile(setUp.folder + "/inbox/x.jsonl")
        try file.add(["a", "b"])
        try file.add(["b", "c", "c"])
        #expect(try setUp.read("inbox/x.jsonl") == "a\nb\nc\n")
    }
}
