import Foundation
import Testing

/// The two programs and a stand-in for Apple.
@Suite struct AskingAppleTests {
    /// Only `reconcile-fetch` may speak to a network.
    @Test func theProgramThatJudgesHasNoNetworkLibrary() throws {
        let own = try Program.shell("readelf -d \"$R\" | grep NEEDED")
        #expect(own.code == 0 && own.output.contains("libsqlite3"), "\(own)")
        for name in ["curl", "ssl.", "nghttp", "ssh", "ldap", "Networking"] { #expect(!own.output.contains(name)) }
        let other = try Program.shell("readelf -d \"$R-fetch\" | grep NEEDED")
        #expect(other.output.contains("libcurl") && !other.output.contains("sqlite"))
    }

    /// Neither phone nor backend knows of the first purchase; the backend gave goods for the second and lacks its proof.
    @Test func whatNobodyReportedIsFoundAndWhatIsAskedForIsAnswered() throws {
        let token = "5b1c64a8-0d0f-4f8e-9d8a-3f2f6d1a7c11"
        let shop = try AppleShop(
            """
            "notifications":[\(AppleShop.notification(2_000_000_000_000_001, more: "\"appAccountToken\":\"\(token)\","))],
            "transactions":[\(AppleShop.transaction(2_000_000_000_000_002))],
            """)
        let at = ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: Double(shop.yesterday) / 1000))
        try shop.folder.write(
            """
            order_id,account_id,product_id,amount,currency,app_account_token,status,created_at
            O1,acct1,coins_60,6.00,CNY,\(token),created,\(at)
            O2,acct2,coins_60,6.00,CNY,,credited,\(at)

            """, to: "inbox/orders-\(shop.date).csv")
        try shop.folder.write(
            """
            credit_id,order_id,transaction_id,account_id,product_id,credited_at
            C2,O2,2000000000000002,acct2,coins_60,\(at)

            """, to: "inbox/credits-\(shop.date).csv")

        let fetched = try shop.run("fetch")
        #expect(fetched.code == 0, "\(fetched)")
        let night = try shop.run("nightly")
        #expect(night.code == 0, "\(night)")
        let manifest = try shop.folder.read("out/latest/retry-manifest.jsonl")
        #expect(
            manifest.contains("\"action\":\"credit\"") && manifest.contains("\"transaction_id\":\"2000000000000001\""))
        #expect(manifest.contains("\"action\":\"fetch_transaction\"") && manifest.contains("2000000000000002"))

        let asked = try shop.run("fetch")
        #expect(
            asked.code == 0 && asked.errors.contains("asked Apple for 1 transaction of the retry manifest: applied 1"))
        let second = try shop.run("nightly")
        #expect(second.code == 0, "\(second)")
        let exceptions = try shop.folder.read("out/latest/exceptions.csv").split(separator: "\n")
        #expect(exceptions.filter { $0.contains(",credited_not_paid,") }.map { $0.contains(",resolved,") } == [true])
    }

    @Test func askVerifiesKeepsAndLooksUp() throws {
        let shop = try AppleShop(
            """
            "transactions":[\(AppleShop.transaction(2_000_000_000_000_009))],
            "sandbox":[\(AppleShop.transaction(2_000_000_000_000_008, environment: "Sandbox"))],
            "orders":{"MK5TTTVWJH":["2000000000000009"]},
            """)
        let found = try shop.run("ask 2000000000000009 2000000000000008 MK5TTTVWJH")
        #expect(found.code == 0, "\(found)")
        let lines = found.output.split(separator: "\n")
        #expect(lines[0].hasPrefix("2000000000000009: 2000000000000009, coins_60 × 1, 6.00 CNY, bought "))
        #expect(lines[2].hasSuffix("Sandbox") && lines[4].hasPrefix("MK5TTTVWJH: 2000000000000009, "))
        #expect(shop.inbox.count == 2)
        let unknown = try shop.run("ask 7 M0")
        #expect(unknown.code == 1)
        #expect(unknown.output.contains("7: Apple says that no transaction of this app has this id."))
        #expect(unknown.output.contains("M0: Apple says that no order of this app has this id."))
        // Without the stand-in's root, nothing that it signed counts.
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(text.replacing("root.pem", with: "other-ca.pem"), to: "reconcile.json")
        let forged = try shop.run("ask 2000000000000009")
        #expect(forged.code == 1 && forged.output.contains("2000000000000009: what came is not used: "), "\(forged)")
    }

    /// docs/spec/interfaces.md#desk-apple: from the page, with the same limits as any form.
    @Test func thePageAsksAppleOnRecordAndNotTooOften() throws {
        let shop = try AppleShop("\"transactions\":[\(AppleShop.transaction(2_000_000_000_000_009))],")
        for feed in [
            "orders": "order_id,account_id,product_id,status,created_at",
            "credits": "credit_id,order_id,account_id,credited_at",
        ] {
            try shop.folder.write(feed.value + "\n", to: "inbox/\(feed.key)-\(shop.date).csv")
        }
        let text = try shop.folder.read("reconcile.json")
        let settings = "{ desk: { mayAskApple: [\"li\"], asksPerHour: 2 },"
        try shop.folder.write(settings + text.drop { $0 != "{" }.dropFirst(), to: "reconcile.json")
        #expect(try shop.run("fetch").code == 0 && shop.run("nightly").code == 0)
        func page(_ body: String, by user: String = "li", origin: String = "https://desk.example.com") throws -> String
        {
            try Program.shell(
                "printf '%s' '\(body)' | \"$R\" desk --config reconcile.json", in: shop.folder.path,
                shop.apple.variables.merging([
                    "REQUEST_METHOD": "POST", "CONTENT_LENGTH": String(body.utf8.count), "REMOTE_USER": user,
                    "CONTENT_TYPE": "application/x-www-form-urlencoded", "HTTP_HOST": "desk.example.com",
                    "HTTP_ORIGIN": origin, "QUERY_STRING": "lang=en",
                ]) { $1 }
            ).output
        }
        let (known, unknown) = ("2000000000000009", "2000000000000007")
        #expect(try page("id=" + known).contains("Ask Apple about \(known) now"))
        // Within a message, too.
        for message in ["charged+6+yuan%2C+" + known, "MZ9XWVUTS1+not+received", "order+id%3A+MZ9XWVUTS1"] {
            #expect(try page("id=" + message).contains("name=\"ask\""), "\(message)")
        }
        #expect(try !page("id=" + known, by: "wang").contains("name=\"ask\""))
        #expect(try page("id=1&ask=" + known, by: "wang").hasPrefix("Status: 403 "))
        #expect(try page("id=1&ask=" + known, origin: "https://evil.example").hasPrefix("Status: 403 "))
        #expect(try page("id=1&ask=--config").contains("Apple has no purchase of this app"))
        #expect(try Program.shell("ls desk/apple-*", in: shop.folder.path).code != 0)
        let answer = try page("id=\(known)&ask=\(known)")
        #expect(answer.contains("Apple knows \(known): \(known), coins_60 × 1, 6.00 CNY, "), "\(answer)")
        #expect(shop.inbox.contains { $0.hasPrefix("apple-asked-") })
        #expect(try page("id=1&ask=" + unknown).contains("Apple has no purchase of this app with the id \(unknown)"))
        #expect(try page("id=1&ask=" + unknown).contains("you have asked 2 times within an hour"))
        let lines = try Program.shell("cat desk/apple-*.jsonl", in: shop.folder.path).output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].contains("\"by\":\"li\",\"id\":\"\(known)\""), "\(lines)")
        // A colleague sees that Apple was asked, and is not told to ask the backend.
        let later = try page("id=" + known)
        #expect(later.contains("li asked Apple about \(known) at ") && !later.contains("name=\"ask\""), "\(later)")
        #expect(!later.contains("Check it for typing errors") && !answer.contains("Check it for typing errors"))
    }

    @Test func theKeysAreTriedOnline() throws {
        let shop = try AppleShop()
        #expect(
            try shop.run("check --online").output.hasPrefix(
                "ok     Apple's answer for com.example.game with the key 2X9R4HXF34\n"))
        try shop.change("\"script\":{\"*\":{\"do\":\"answer\",\"status\":401,\"skew\":3600}},")
        let skewed = try shop.run("check --online")
        #expect(skewed.code == 1 && skewed.output.contains("seconds behind Apple's. Set it (timedatectl)"), "\(skewed)")
    }

    /// A program of another version stands beside this one. To `check`, that is one finding of several.
    @Test(arguments: [("ask 1", 70), ("check --online", 1)] as [(String, Int32)])
    func aLineThatCannotBeReadIsNoDamageOfTheLedger(words: String, code: Int32) throws {
        let shop = try AppleShop()
        let ended = try Program.shell(
            """
            mkdir bin; cp "$R" bin/reconcile; printf '#!/bin/sh\necho {}\n' >bin/reconcile-fetch; chmod +x bin/*
            bin/reconcile \(words) --config reconcile.json
            """, in: shop.folder.path)
        #expect(ended.code == code && !ended.output.contains("WRONG  ledger"), "\(ended)")
        let told = code == 1 ? ended.output : ended.errors
        #expect(told.contains("reconcile-fetch printed a line that this program cannot read: it has no valid"))
        #expect(told.contains("Install reconcile and reconcile-fetch of the same version."))
        let absent = try Program.shell(
            "rm bin/reconcile-fetch; bin/reconcile \(words) --config reconcile.json", in: shop.folder.path)
        #expect(absent.code == (code == 1 ? 1 : 78) && !absent.output.contains("WRONG  ledger"), "\(absent)")
        #expect((absent.output + absent.errors).contains("/bin/reconcile-fetch' is not installed."), "\(absent)")
    }

    @Test func checkNamesNotificationsThatHaveNoSignedPayload() throws {
        let good = AppleShop.notification(2_000_000_000_000_001)
        let shop = try AppleShop("\"notifications\":[\(good),{\"at\":AT,\"unsigned\":true}],")
        let fetched = try shop.run("fetch")
        #expect(fetched.code == 0 && fetched.errors.contains("1 notification has no signed payload"), "\(fetched)")
        #expect(shop.inbox == ["apple-\(shop.date).jsonl"])
        let aside = "inbox/.apple-\(shop.date).jsonl.unsigned"
        #expect(try shop.folder.read(aside).hasPrefix("{\"sendAttempts\": [{"))
        let checked = try shop.run("check").output.split(separator: "\n").filter { $0.contains(".unsigned") }
        #expect(checked.count == 1 && checked[0].hasPrefix("LOOK   ") && checked[0].contains(aside), "\(checked)")
        #expect(checked.first?.contains("/inbox/apple-\(shop.date).jsonl to fetch the day again") == true)
    }

    /// The variable of the tests cannot lead to another machine.
    @Test(arguments: [
        "https://example.com:443 /tmp/ca.pem", "https://127.0.0.1.example.com:1 /tmp/ca.pem",
        "http://127.0.0.1:1 /tmp/ca.pem",
        "https://127.0.0.1:1@example.com /tmp/ca.pem", "https://localhost:1 /tmp/ca.pem", "https://127.0.0.1:1",
    ])
    func onlyAStandInOnThisMachineIsAccepted(address: String) throws {
        let shop = try AppleShop()
        let ended = try shop.run("fetch", ["RECONCILE_APPLE_STANDIN": address])
        #expect(ended.code == 78 && ended.errors.contains("which is not a stand-in on this machine"), "\(ended)")
        #expect(shop.inbox == [])
    }

    @Test func withoutASectionNothingIsAsked() throws {
        let shop = try AppleShop()
        let text = try shop.folder.read("reconcile.json")
        try shop.folder.write(text.replacing(/apple: \{[^}]*\},/, with: ""), to: "reconcile.json")
        for words in ["fetch", "ask 1"] {
            let ended = try shop.run(words)
            #expect(ended.code == 78 && ended.errors.contains("has no 'apple', so Apple cannot be asked"), "\(ended)")
        }
    }

    /// Killed before any of its calls that change a disk, a fetch leaves no file that a night would read, or a whole one; and the
    /// next one ends with the same bytes.
    @Test func aKillLeavesWholeFiles() throws {
        let shop = try AppleShop(
            "\"notifications\":[\((1...5).map { AppleShop.notification(2_000_000_000_000_000 + $0) }.joined(separator: ","))],"
        )
        #expect(try shop.run("fetch").code == 0)
        let name = "inbox/apple-\(shop.date).jsonl"
        let whole = try shop.folder.read(name)
        let faults = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path + "/Faults"
        let fetch = "'\(Program.path)-fetch' fetch --config reconcile.json"
        func disturbed(_ mode: String, _ point: Int) throws -> Ended {
            try Program.shell(
                "rm -rf inbox; mkdir inbox; '\(faults)' -r \"$PWD\" -l calls \(mode) \(point) \(fetch)",
                in: shop.folder.path, shop.apple.variables)
        }
        #expect(try disturbed("none", 0).code == 0)
        let calls = try #require(Int(try shop.folder.read("calls").split(separator: "\n").last ?? ""))
        #expect(calls > 10)
        for mode in ["kill", "enospc"] {
            for point in stride(from: mode == "kill" ? 1 : 2, through: calls, by: 2) {
                let ended = try disturbed(mode, point)
                for found in shop.inbox {
                    #expect("inbox/" + found == name, "\(mode) \(point)")
                    #expect(try shop.folder.read(name) == whole, "\(mode) \(point)")
                }
                if ended.code == 0 { #expect(shop.inbox.count == 1, "\(mode) \(point)") }
                if mode == "kill" { #expect(ended.code == 137, "\(point): \(ended)") }
            }
        }
        #expect(try shop.run("fetch").code == 0)
        #expect(try shop.folder.read(name) == whole)
    }

    /// From the purchase that nobody reported to the settled case.
    @Test func theDemonstrationEndsWithASettledCase() throws {
        let folder = TestFolder()
        let ended = try Program.shell(
            "'\(Program.repository)/scripts/demo-apple' shop", in: folder.path, ["RECONCILE": Program.path])
        #expect(ended.code == 0, "\(ended)")
        for words in [
            "1 notification from Apple", "NO_RESPONSE 1", "credit             2000000777000001  paid_not_credited",
            "fetch_transaction  2000000777000002  credited_not_paid", "MK5TTTVWJH: 2000000777000001, coins_60 × 1",
            "asked Apple for 1 transaction of the retry manifest: applied 1",
            "\nNothing new; all required feeds arrived\n",
            "\nPaid and delivered\n", "苹果两次通知服务器",
        ] { #expect(ended.output.contains(words), "\(words)") }
        #expect(
            try Program.shell("tail -n +2 shop/out/latest/retry-manifest.jsonl | wc -l", in: folder.path).output
                == "0\n")
    }
}
