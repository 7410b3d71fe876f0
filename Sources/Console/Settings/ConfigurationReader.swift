internal import Intake

/// Turns the text of a configuration file into a `Configuration`, or reports the line and column of the first problem.
struct ConfigurationReader {
    /// The absolute path.
    var file: String
    private var folder: String { folderOf(file) }

    private static let keys = [
        "app", "ledger", "output", "timeZone", "language", "feeds", "grace", "orderTTL", "receiptTTL",
        "suggestionWindow", "lateAfter", "historyFrom", "compare", "maxRejectedShare", "retry", "guard", "group",
        "templates", "trustedRoots", "desk", "tokenFanOut", "finance", "apple",
    ]

    func read(_ text: String) throws(ConfigurationProblem) -> Configuration {
        let root = try Section(try document(text), path: "", keys: Self.keys)
        let app = try appSection(root)
        var policy = try policy(root, app: app)
        let retry = try retry(root)
        policy.reverseRefunds = retry.reverseRefunds
        var configuration = Configuration(
            file: file, folder: folder, policy: policy,
            feeds: try FeedReader(folder: folder, zone: policy.zone).feeds(root),
            ledger: try path("ledger", root) ?? absolute("ledger.sqlite", in: folder),
            output: try path("output", root) ?? absolute("out", in: folder), retry: retry)
        configuration.desk = try desk(root)
        configuration.finance = try finance(root)
        configuration.apple = try AppleReader(folder: folder, feeds: configuration.feeds)
            .read(root, environment: policy.environment)
        configuration.appAppleID = try app.count("appAppleID", in: 1...Int.max).map(Int64.init)
        configuration.language = try root.choice("language") ?? configuration.language
        configuration.group = try root.text("group", example: "finance")
        configuration.templates = try path("templates", root)
        let roots = try root.texts("trustedRoots", example: "roots/test-root.pem") ?? []
        configuration.trustedRoots = roots.map { absolute($0, in: folder) }
        if let share = try share("maxRejectedShare", root) { configuration.rejectedPartsPerMillionMax = share }
        if let section = try root.section("guard", keys: ["uncredited", "rows", "invalid", "collisions"]) {
            let settings = configuration.guarding
            configuration.guarding.uncredited = try share("uncredited", section) ?? settings.uncredited
            configuration.guarding.rows = try share("rows", section) ?? settings.rows
            configuration.guarding.invalid = try share("invalid", section) ?? settings.invalid
            configuration.guarding.collisions = try share("collisions", section) ?? settings.collisions
        }
        return configuration
    }

    private func desk(_ root: Section) throws(ConfigurationProblem) -> DeskSettings {
        var settings = DeskSettings(folder: absolute("desk", in: folder))
        let keys = [
            "folder", "anonymous", "mask", "mayGive", "maySearch", "mayWork", "mayLead", "limits", "twoPersons",
            "mayAskApple", "asksPerHour",
        ]
        let deciders = ["mayWaive": "waive", "mayRelease": "release", "mayAcceptGap": "gap"]
        guard let section = try root.section("desk", keys: keys + deciders.keys.ordered()) else { return settings }
        if let folder = try path("folder", section) { settings.folder = folder }
        settings.allowsAnonymous = try section.flag("anonymous") ?? false
        settings.masked = Set(try section.texts("mask", example: "li") ?? [])
        settings.givers = Set(try section.texts("mayGive", example: "li") ?? [])
        settings.searchers = Set(try section.texts("maySearch", example: "li") ?? [])
        settings.workers = Set(try section.texts("mayWork", example: "li") ?? [])
        settings.leads = Set(try section.texts("mayLead", example: "li") ?? [])
        for (key, kind) in deciders { settings.deciders[kind] = Set(try section.texts(key, example: "li") ?? []) }
        settings.appleAskers = Set(try section.texts("mayAskApple", example: "li") ?? [])
        settings.asksPerHour = try section.count("asksPerHour", in: 1...1000) ?? settings.asksPerHour
        settings.twoPersons = Set(try section.texts("twoPersons", example: "waive") ?? [])
        for kind in settings.twoPersons.ordered() where ![String](deciders.values + ["given"]).contains(kind) {
            throw section.problem(
                "twoPersons", "has an unknown decision \(quoted(kind))", remedy: "Use waive, release, gap and given.")
        }
        if let limits = try section.section("limits", keys: ["memoryMB", "seconds", "outputMB"]) {
            let most = settings.limits
            settings.limits.megabytes = try limits.count("memoryMB", in: 16...65_536) ?? most.megabytes
            settings.limits.seconds = try limits.count("seconds", in: 1...600) ?? most.seconds
            settings.limits.outputMegabytes = try limits.count("outputMB", in: 1...64) ?? most.outputMegabytes
        }
        return settings
    }

    private func document(_ text: String) throws(ConfigurationProblem) -> JSON5 {
        let document: JSON5
        do { document = try JSON5Reader.read(text) } catch { throw ConfigurationProblem(error) }
        let undecided = document.undecided
        guard let first = undecided.first else { return document }
        let lines = Set(undecided.map(\.line)).ordered().map { String($0) }
        throw ConfigurationProblem(
            first,
            "\(counted(undecided.count, "value is", "values are")) not decided yet, in line \(lines.joined(separator: ", "))",
            remedy: "Replace each text that begins with \(Feed.undecided); the comment beside it says what is known.")
    }

    private func path(_ key: String, _ section: Section) throws(ConfigurationProblem) -> String? {
        try section.text(key, example: key == "ledger" ? "ledger.sqlite" : key).map { absolute($0, in: folder) }
    }

    private func appSection(_ root: Section) throws(ConfigurationProblem) -> Section {
        let keys = ["bundleIDs", "appAppleID", "environment", "appAccountToken"]
        guard let app = try root.section("app", keys: keys) else {
            throw root.problem("app", "is missing", remedy: "Add app: { bundleIDs: [\"com.example.game\"] }.")
        }
        return app
    }

    /// A share in parts per million; nil if the section does not have it.
    private func share(_ key: String, _ section: Section) throws(ConfigurationProblem) -> Int? {
        guard let value = section.value(key) else { return nil }
        guard case .number(let spelling) = value.content, !spelling.hasPrefix("-"),
            let share = Parse.decimal(spelling, exponent: 6), share <= 1_000_000
        else {
            throw section.problem(
                key, "is \(value.noun)",
                remedy: "Write a decimal from 0 to 1 with at most six decimals, such as 0.01 for 1 %.")
        }
        return Int(share)
    }
}

extension ConfigurationReader {
    private func policy(_ root: Section, app: Section) throws(ConfigurationProblem) -> Policy {
        var policy = Policy()
        policy.bundles = try bundles(app)
        let environments = AppEnvironment.allCases.filter { $0 != .other }.map { ($0.name, $0) }
        policy.environment = try app.choice("environment", of: environments) ?? policy.environment
        policy.tokenUse = try app.choice("appAccountToken") ?? policy.tokenUse
        policy.zone = try zone("timeZone", root) ?? .utc
        try readDurations(root, into: &policy)
        policy.historyFrom = try root.date("historyFrom")
        policy.compare = try comparedFields(root) ?? policy.compare
        policy.tokenFanOut = try root.count("tokenFanOut", in: 1...1000) ?? policy.tokenFanOut
        return policy
    }

    private func readDurations(_ root: Section, into policy: inout Policy) throws(ConfigurationProblem) {
        if let grace = try root.section("grace", keys: ["credit", "receipt", "refund", "apple"]) {
            policy.graceCredit = try grace.duration("credit") ?? policy.graceCredit
            policy.graceReceipt = try grace.duration("receipt") ?? policy.graceReceipt
            policy.graceRefund = try grace.duration("refund") ?? policy.graceRefund
            policy.graceApple = try grace.duration("apple") ?? policy.graceApple
        }
        policy.orderTTL = try root.duration("orderTTL") ?? policy.orderTTL
        policy.receiptTTL = try root.duration("receiptTTL") ?? policy.receiptTTL
        policy.suggestionWindow = try root.duration("suggestionWindow") ?? policy.suggestionWindow
        policy.lateAfter = try root.duration("lateAfter") ?? policy.lateAfter
    }

    private func bundles(_ app: Section) throws(ConfigurationProblem) -> Set<Identifier> {
        let names = try app.texts("bundleIDs", example: "com.example.game") ?? []
        guard !names.isEmpty else {
            throw app.problem(
                "bundleIDs", "lists no app", remedy: "List the app's bundle id, such as [\"com.example.game\"].")
        }
        for name in names where !Self.isBundleID(name) {
            throw app.problem(
                "bundleIDs", "lists \(quoted(name))", remedy: "A bundle id has letters, digits, '-' and '.' only.")
        }
        return Set(names.map { Identifier($0) })
    }

    private static func isBundleID(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
                default: false
                }
            }
    }

    private func comparedFields(_ root: Section) throws(ConfigurationProblem) -> Set<ComparedField>? {
        guard let names = try root.texts("compare", example: "amount") else { return nil }
        var fields = Set<ComparedField>()
        for name in names {
            guard let field = ComparedField(rawValue: name) else {
                let remedy = Section.hint(name, among: ComparedField.allCases.map(\.rawValue))
                throw root.problem("compare", "lists \(quoted(name))", remedy: remedy)
            }
            fields.insert(field)
        }
        return fields
    }

    private func retry(_ root: Section) throws(ConfigurationProblem) -> RetrySettings {
        var settings = RetrySettings()
        let keys = ["enabled", "maxEntries", "maxAmount", "reverseRefunds", "maxAttempts"]
        guard let retry = try root.section("retry", keys: keys) else { return settings }
        settings.isEnabled = try retry.flag("enabled") ?? settings.isEnabled
        settings.entriesMax = try retry.count("maxEntries", in: 0...1_000_000_000) ?? settings.entriesMax
        settings.reverseRefunds = try retry.flag("reverseRefunds") ?? settings.reverseRefunds
        settings.attemptsMax = try retry.count("maxAttempts", in: 1...100) ?? settings.attemptsMax
        if let amounts = try amounts("maxAmount", retry) {
            settings.amountMaxOfOthers = nil
            settings.amountMax.merge(amounts) { $1 }
        }
        return settings
    }
}

/// The time zone that `key` names; nil if it is not set.
func zone(_ key: String, _ section: Section) throws(ConfigurationProblem) -> Zone? {
    guard let name = try section.text(key, example: "Asia/Shanghai") else { return nil }
    // Abbreviations are ambiguous: CST is used in Chicago, Shanghai and Havana.
    guard name.contains("/") || name == "UTC", let zone = Zone(name) else {
        throw section.problem(
            key, "is \(quoted(name)), which is not a time zone",
            remedy: "Write a name such as \"Asia/Shanghai\" or \"UTC\".")
    }
    return zone
}

extension JSON5 {
    /// Where texts are that `init --from` left to a person.
    fileprivate var undecided: [Position] {
        switch content {
        case .text(let text): text == Feed.undecided || text.hasPrefix(Feed.undecided + " ") ? [position] : []
        case .list(let elements): elements.flatMap(\.undecided)
        case .object(let members): members.flatMap(\.value.undecided)
        case .number, .flag, .null: []
        }
    }
}
