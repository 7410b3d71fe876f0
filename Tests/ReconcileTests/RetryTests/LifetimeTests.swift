import Testing

/// docs/spec/rules.md#withheld-entries: a customer can have a lifetime product once.
extension WithheldEntryTests {
    private func exception(of id: String, in desk: DeskFolder) throws -> String {
        let subject = try #require(desk.subjects(id).first { $0["transaction_ids"] as? [String] == [id] })
        return try #require((subject["exception"] as? [String: Any])?["id"] as? String)
    }

    private static let type = #","type":"Non-Consumable""#
    private static let second = "3000000009"

    /// Two lost payments for one lifetime product.
    private static let two = Beside(name: "", transactions: second, members: type, own: type)

    /// The transactions whose goods the last night asks for.
    private func asked(_ desk: DeskFolder) throws -> Set<String> {
        let lines = try desk.folder.read("out/latest/retry-manifest.jsonl").split(separator: "\n")
        return Set(
            [Self.purchase, Self.second].filter { id in
                lines.contains { $0.contains(id) && $0.contains(#""action":"credit""#) }
            })
    }

    /// The customer can have the product once.
    @Test func ofTwoPaymentsForALifetimeProductOneGetsTheGoods() throws {
        let (type, second) = (#","type":"Non-Consumable""#, "3000000009")
        let beside = Beside(name: "", transactions: second, members: type, own: type)
        for retry in ["{ enabled: false }", "{ maxAttempts: 3 }"] {
            let desk = try desk(beside, retry: retry)
            try desk.night(1)
            func sent() throws -> [Bool] {
                let lines = try desk.folder.read("out/latest/retry-manifest.jsonl").split(separator: "\n")
                return [Self.purchase, second].map { id in
                    lines.contains { $0.contains(id) && $0.contains(#""action":"credit""#) }
                }
            }
            let isMachine = retry.contains("maxAttempts")
            if isMachine { #expect(try sent() == [true, false]) }
            #expect(try desk.safety(Self.purchase) == (isMachine ? "retry_out" : "safe"))
            #expect(try desk.safety(second) == "already_owned")
            #expect(try desk.subjects("acct-1")[0]["transaction_ids"] as? [String] == [Self.purchase], "it comes first")
            func said(_ id: String) throws -> String {
                try desk.run(["lookup", id]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            let has = "your account has it already"
            #expect(try !said(second).contains(has) && said(second).contains("you paid for it more than once"))
            _ = try desk.run(["given", second, "--by", "Li", "--note", "ticket 7"])
            #expect(try said(Self.purchase).contains(has) != isMachine)
            #expect(try desk.safety(second) == "given")
            if !isMachine { #expect(try desk.safety(Self.purchase) == "already_owned") }
            try desk.nights(2...2)
            if isMachine { #expect(try sent() == [false, false]) }
        }
    }

    /// Nothing is given for a refunded payment, so the later one gets the goods.
    @Test func aRefundedPaymentIsNotTheOneThatGetsTheGoods() throws {
        let type = #","type":"Non-Consumable""#
        var beside = Beside(name: "", transactions: "3000000009", members: type, own: type)
        beside.orders = [Self.order("O1", "coins,1,6.00", status: "refunded", at: "02T11", of: Self.purchase)]
        let desk = try desk(beside, retry: "{ enabled: false }")
        try desk.night(1)
        #expect(try desk.safety(Self.purchase) == "refund_reported" && desk.safety("3000000009") == "safe")
    }

    /// The consumer may have given the goods, or says so. The export of credits lags.
    @Test(arguments: [nil, "applied", "permanent_error"] as [String?])
    func aPaymentWhoseEntryIsOutKeepsTheGoods(_ answer: String?) throws {
        let desk = try desk(Self.two)
        // The earlier one comes a night late.
        let both = try desk.folder.read("inbox/transactions-\(desk.date(1)).jsonl").split(separator: "\n")
        let late = try #require(both.first { $0.contains(Self.purchase) })
        let other = try #require(both.first { $0.contains(Self.second) })
        try desk.folder.write(other + "\n", to: "inbox/transactions-\(desk.date(1)).jsonl")
        try desk.night(1)
        #expect(try asked(desk) == [Self.second])
        try desk.folder.write(late + "\n", to: "inbox/transactions-\(desk.date(2)).jsonl")
        if let answer {
            let key = try #require(desk.manifestKeys().first)
            try desk.deliver("acks", ["\(key),\(answer),\(desk.date(2))T06:30:00+08:00,"], night: 2)
        }
        let isRefused = answer == "permanent_error"
        for night in 2...3 {
            try desk.nights(night...night)
            #expect(try asked(desk).contains(Self.purchase) == (isRefused && night == 3), "night \(night)")
            if !isRefused { #expect(try desk.safety(Self.purchase) == "already_owned", "night \(night)") }
        }
    }

    @Test func ofTwoPaymentsTheOneThatIsNotWaivedGetsTheGoods() throws {
        let desk = try desk(Self.two, retry: "{ enabled: false }")
        try desk.night(1)
        let waived = try desk.run(["waive", exception(of: Self.purchase, in: desk), "--by", "Li", "--note", "ticket 7"])
        #expect(waived.code == 0, "\(waived.errors)")
        #expect(try desk.safety(Self.second) == "safe" && desk.safety(Self.purchase) == "waived")
        try desk.configure(retry: "{ maxAttempts: 3 }")
        try desk.nights(2...2)
        #expect(try asked(desk) == [Self.second])
        _ = try desk.run(["unwaive", exception(of: Self.purchase, in: desk), "--by", "Li", "--note", "ticket 8"])
        try desk.nights(3...4)
        #expect(try !asked(desk).contains(Self.purchase) && desk.safety(Self.purchase) == "already_owned")
    }
}
