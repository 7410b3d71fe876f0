import Testing

/// `waive --from` and `release --from`: many decisions from a spreadsheet, all or none.
@Suite struct BulkDecisionTests {
    private let shop: ShopFolder
    private let ids: [String]

    /// Three lost orders, seen by the first night.
    init() throws {
        shop = try ShopFolder()
        try shop.sell(1..<4, night: 0)
        try shop.night(0)
        ids = shop.exceptions(0).compactMap { $0["exception_id"] }
        try #require(ids.count == 3)
    }

    private func waive(_ list: String, _ options: [String] = []) throws -> Ended {
        try shop.folder.write(list, to: "list.csv")
        return try shop.run(
            ["waive", "--from", shop.folder.path + "/list.csv", "--by", "Li", "--as-of", "2025-11-02T09:00:00+08:00"]
                + options)
    }

    private func states(_ night: Int) throws -> [String] {
        try shop.night(night)
        return shop.exceptions(night).map { ($0["state"] ?? "") + "/" + ($0["note"] ?? "") }.sorted()
    }

    @Test func everyRowWithANoteIsWaivedAndAnswered() throws {
        let list =
            "\u{FEFF}exception_id,amount,note\r\n\(ids[0]),1,\"paid back, by \"\"bank\"\"\"\r\n\(ids[1]),1,\r\n\(ids[2]),1,goodwill\r\n"
        let dry = try waive(list, ["--dry-run"])
        #expect(dry.code == 0 && dry.output.hasPrefix("2 of 2 exceptions would be waived: CNY "), "\(dry)")
        #expect(dry.output.contains("nothing was changed"))
        #expect(dry.output.contains("is waived: paid back, by \"bank\".\n"))
        let ended = try waive(list.replacing("paid back, by \"\"bank\"\"", with: "paid back"))
        let lines = ended.output.split(separator: "\n")
        #expect(ended.code == 0 && lines.count == 3 && !ended.output.contains("dry run"), "\(ended)")
        #expect(
            lines[1].hasPrefix("line 2: \(ids[0]) (CNY ") && lines[1].hasSuffix("is waived: paid back."))
        #expect(lines[2].hasPrefix("line 4: \(ids[2]) "))
        #expect(try states(1) == ["open/", "waived/goodwill", "waived/paid back"])
    }

    /// The list that a night publishes shows the last note: such a row is not decided again.
    @Test func aNoteThatIsOnRecordDecidesNothing() throws {
        _ = try waive("exception_id,note\n\(ids[0]),first\n")
        _ = try shop.run([
            "unwaive", ids[0], "--by", "Li", "--note", "withdrawn", "--as-of", "2025-11-02T10:00:00+08:00",
        ])
        let again = try waive("exception_id,note\n\(ids[0]),withdrawn\n\(ids[1]),x\n")
        #expect(again.output.contains("line 2: \(ids[0]) is left as it is: its note is not new.\n"), "\(again)")
        #expect(again.output.hasPrefix("1 of 2 exceptions are waived: "))
    }

    @Test func oneRowThatIsWrongChangesNothing() throws {
        for (list, code, words) in [
            ("exception_id,note\n\(ids[0]),x\nE0,y\n", 66, "1 of 2 ids is unknown: line 3: 'E0'"),
            ("exception_id,note\n\(ids[0]),x\n\(ids[0]),y\n", 65, "lines 2 and 3 are both about \(ids[0])"),
            ("exception_id,note\n\(ids[0]),5\" x\n", 65, "the quotes of a row are not balanced"),
            ("exception_id,note\n,x\n", 65, "line 2 has a note and no exception_id"),
            ("exception_id,why\n\(ids[0]),x\n", 65, "it has no column note (Note)"),
            ("exception_id,note\n\(ids[0]),\n", 65, "no row has a note"), ("", 65, "it is empty"),
        ] as [(String, Int32, String)] {
            let ended = try waive(list)
            #expect(ended.code == code && ended.errors.contains(words), "\(ended)")
        }
        #expect(try shop.run(["waive", "--by", "Li", "--note", "x"]).code == 64)
        #expect(try shop.run(["waive", ids[0], "--from", "a", "--by", "Li"]).code == 64)
        #expect(try states(1) == ["open/", "open/", "open/"])
    }

    /// A sheet of the workbook has headings in the language of the reports; Excel in China saves CSV in GB 18030.
    @Test func aSheetSavedAsCSVIsSuchAList() throws {
        try shop.folder.write("异常编号;说明\n\(ids[0]);银行已退款\n", to: "list.txt")
        _ = try Program.shell("iconv -f UTF-8 -t GB18030 list.txt >sheet.csv", in: shop.folder.path)
        let configuration = try shop.folder.read("reconcile.json")
        try shop.folder.write(
            configuration.replacing("{ app:", with: #"{ language: "zh-Hans", app:"#), to: "reconcile.json")
        let ended = try shop.run(
            ["waive", "--from", shop.folder.path + "/sheet.csv", "--by", "Li", "--as-of", "2025-11-02T09:00:00+08:00"])
        #expect(ended.code == 0, "\(ended)")
        #expect(try states(1).last == "waived/银行已退款")
    }

    /// Nearly every text of Windows-1252 can pass for GB 18030: the note would go on record as garbage.
    @Test func anEncodingIsNotGuessed() throws {
        try shop.folder.write("exception_id,note\n\(ids[0]),für Müller zurückgezahlt\n", to: "list.txt")
        _ = try Program.shell("iconv -f UTF-8 -t WINDOWS-1252 list.txt >sheet.csv", in: shop.folder.path)
        let ended = try shop.run(["waive", "--from", shop.folder.path + "/sheet.csv", "--by", "Li"])
        #expect(ended.code == 65 && ended.errors.contains("CSV UTF-8"), "\(ended)")
    }

    /// The entries are held, because there are more than the configuration allows.
    private func held() throws -> (shop: ShopFolder, keys: [String]) {
        let shop = try ShopFolder(retry: "{ maxEntries: 1 }")
        try shop.sell(1..<4, night: 0)
        try shop.night(0)
        return (shop, try shop.lines("held.jsonl", 0).compactMap { $0["key"] as? String })
    }

    @Test func entriesAreReleasedFromAList() throws {
        let (shop, keys) = try held()
        try #require(keys.count == 3)
        try shop.folder.write(
            "retry_key,note\n\(keys[0]),checked\n\(keys[1]),\n\(keys[2]),asked Wang\n", to: "list.csv")
        let words = ["release", "--from", shop.folder.path + "/list.csv", "--by", "Li"]
        let dry = try shop.run(words + ["--dry-run"])
        #expect(dry.output.hasPrefix("2 of 2 entries would be released: CNY 12.00. This is a dry run"), "\(dry)")
        let ended = try shop.run(words)
        #expect(ended.code == 0 && ended.output.contains("line 4: \(keys[2]) (CNY 6.00) is released: asked Wang.\n"))
        #expect(try shop.run(words).output.hasPrefix("0 of 2 entries are released"))
        try shop.night(1)
        let sent = Set(try shop.lines("retry-manifest.jsonl", 1).compactMap { $0["key"] as? String })
        #expect(sent.isSuperset(of: [keys[0], keys[2]]) && !sent.contains(keys[1]), "\(sent)")
        try shop.folder.write("retry_key,note\n\(keys[1]),x\nnone,y\n", to: "list.csv")
        let unknown = try shop.run(words)
        #expect(unknown.code == 66 && unknown.errors.contains("1 of 2 ids is unknown: line 3: 'none'"), "\(unknown)")
    }

    @Test func whatAReleaseIsWorthIsShownBeforeItHappens() throws {
        let (shop, keys) = try held()
        let words = ["release", "--held", "--by", "Li", "--note", "checked"]
        let sum =
            "3 of 3 entries, worth CNY 18.00, will be sent with the next night if their exceptions are still open.\n"
        let dry = try shop.run(words + ["--dry-run"])
        #expect(dry.output.hasSuffix(sum + "This is a dry run: nothing was changed.\n"), "\(dry)")
        #expect(try shop.run(words).output.hasSuffix(sum))
        try shop.night(1)
        #expect(try shop.lines("retry-manifest.jsonl", 1).count == keys.count)
    }
}
