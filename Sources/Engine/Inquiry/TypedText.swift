/// What an agent typed or pasted, and the identifiers that it may mean: the likeliest spelling first.
///
/// Identifiers are compared byte by byte, but people copy them with blanks, quotes, labels, full-width digits and in
/// another letter case. The text as typed always comes first. See docs/spec/interfaces.md#lookup-spellings.
struct TypedText {
    /// Spellings of the text as a whole, if it is one identifier.
    private(set) var whole: [String]
    /// The spellings of each identifier within the text, if it is a sentence.
    private(set) var runs: [[String]] = []
    /// What most likely is an identifier in the text, without blanks and signs around it.
    let core: String
    /// It is one identifier, whether on record or not.
    let isOne: Bool
    /// The text with plain digits and signs, cut if it is longer than any message.
    let beginning: String

    /// Numbers that may be the parts of one, broken by blanks or line ends, in the order of the text.
    private var chains: [[String]]

    private static let (runMin, runsMax) = (6, 20)
    private static let bytesMax = 256
    /// A shorter number is not looked for in several parts: those of a date would make one.
    static let brokenMin = 10
    private static let brokenMax = 40
    private static let partsMax = 7

    init(_ text: String) {
        let plain = folded(text)
        beginning = Self.beginning(of: plain)
        chains = Self.chains(in: withoutAddresses(plain))
        let trimmed = trimmingSigns(plain[...])
        // With an id before it, the last label names one of several.
        let label = plain.lastIndex { $0 == ":" || $0 == "=" }.flatMap {
            Self.identifierRuns(in: String(plain[..<$0])).isEmpty ? $0 : nil
        }
        let value = label.map { trimmingSigns(plain[plain.index(after: $0)...]) } ?? ""
        var whole = [text, plain, trimmed, value]
        for part in [trimmed, value] where !part.isEmpty {
            let joined = part.filter { !$0.isWhitespace }
            whole += [joined, joined.filter { $0 != "-" }]
        }
        self.whole = [text] + spellings(whole.filter { $0.utf8.count <= Self.bytesMax })
        let words = Self.identifierRuns(in: plain)
        for run in words.prefix(Self.runsMax) where run != trimmed {
            runs.append(spellings([run, run.filter { $0 != "-" }]))
        }
        let joined = (value.isEmpty ? trimmed : value).filter { !$0.isWhitespace }
        // With a word of letters, it is a sentence: an id begins with a few letters at most.
        isOne =
            joined.allSatisfy(TypedText.isIdentifierSign)
            && !(value.isEmpty ? trimmed : value).split(whereSeparator: \.isWhitespace).contains {
                $0.count > 3 && $0.utf8.count < joined.utf8.count && !$0.utf8.contains(where: isDigit)
            }
        let named = words.first { $0.allSatisfy(TypedText.isIdentifierSign) } ?? words.first
        core = isOne ? joined : named ?? ""
        self.whole.removeAll { $0.utf8.count > Self.bytesMax || $0.isEmpty }
        if self.whole.isEmpty { self.whole = [String(text.prefix(Self.bytesMax))] }
    }

    /// The text that is searched for words, in simplified Chinese as far as the words need it.
    static func beginning(of plain: String) -> String {
        // A word of such length is a receipt or a key. Each search for a time or an amount would start at each of its signs,
        // and at each of many blanks.
        let text = withoutAddresses(plain.prefix(2000)).replacing(/[A-Za-z0-9+\/=_-]{200,}|\s{4,}/, with: " ")
        return String(text.map { simplified[$0] ?? $0 })
    }

    private static let simplified = Dictionary(
        uniqueKeysWithValues: zip("沒買幣帳號錢塊點時個還週後儲訂單會員廣兩間戶編額麼", "没买币账号钱块点时个还周后储订单会员广两间户编额么"))

    /// The words, if the text is nothing but several identifiers, with blanks, commas or semicolons between them.
    static func list(in text: String) -> [String] {
        let words = folded(text).split { $0.isWhitespace || ",;、".contains($0) }.map { String($0) }
        let isList =
            words.count > 1
            && words.allSatisfy { word in
                word.count >= runMin && word.utf8.contains(where: isDigit) && word.allSatisfy(isIdentifierLetter)
                    && !isDate(word)
            }
        return isList ? words : []
    }

    /// The spellings of identifiers that blanks or line ends may have broken. No part of them is one of `known`.
    func broken(besides known: Set<String>) -> [[String]] {
        var found: [[String]] = []
        for chain in chains {
            for start in chain.indices.dropLast() {
                for end in start + 2...min(chain.count, start + Self.partsMax) {
                    let parts = chain[start..<end]
                    let joined = parts.joined()
                    guard (Self.brokenMin...64).contains(joined.utf8.count), known.isDisjoint(with: parts) else {
                        continue
                    }
                    found.append(spellings([joined, joined.filter { $0 != "-" }]))
                    if found.count == Self.brokenMax { return found }
                }
            }
        }
        return found
    }

    /// What may be the id of a device, in the spellings that apps send.
    var devices: [String] {
        let id = dashed(core) ?? core
        return id.utf8.count < 8 ? [] : [core, id, id.uppercased(), id.lowercased()]
    }

    /// All spellings, each once.
    var all: [String] {
        var seen = Set<String>()
        return (whole + runs.flatMap { $0 }).filter { seen.insert($0).inserted }
    }

    /// The spellings of what is not among `known`.
    func unknown(besides known: [String]) -> [String] {
        ([whole] + runs).filter { Set($0).isDisjoint(with: known + known.map { $0.lowercased() }) }.flatMap(\.self)
    }

    /// The text has the form of the order id in Apple's e-mails.
    var emailedOrder: String? {
        (all + broken(besides: []).compactMap(\.first)).first { text in
            let signs = text.utf8.dropFirst()
            return text.utf8.first == UInt8(ascii: "M") && (8...12).contains(signs.count)
                && signs.allSatisfy { isDigit($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
                && signs.contains(where: isDigit)
        }
    }

    /// What in a sentence is a whole identifier by its look: Apple's order id, or a long number.
    var wholeIdentifier: String? {
        emailedOrder ?? runs.lazy.compactMap(\.first).first(where: Self.isWholeIdentifier)
    }

    private static func isWholeIdentifier(_ run: String) -> Bool {
        run.utf8.count >= brokenMin && run.utf8.count(where: isDigit) >= runMin && run.allSatisfy(isIdentifierSign)
    }

    private static var otherNumber: Regex<(Substring, Substring)> {
        #/
        (?i)(?:手机|电话|微信|qq|设备|文稿|工单|phone|device|ticket|document)
        [^0-9a-z]{0,4}(?:id|no\.?|number)?[\s:\#=]*([0-9a-z_-]+)
        /#
    }

    /// The whole identifiers of a sentence that are neither one of `known` nor a part of one, as typed. An account, a number of a
    /// phone or of something else behind its label, and a time written in digits are none.
    func unrecorded(besides known: [String]) -> [String] {
        let others = (known + accounts).map { plainSpelling(of: $0) }
        let labelled = beginning.matches(of: Self.otherNumber).map { String($0.1) }
        return runs.filter { Set($0).isDisjoint(with: known) }.compactMap(\.first).reduce(into: []) { found, run in
            let plain = plainSpelling(of: run)
            // A label may stand before an id without a sign between them.
            let isKnown = others.contains {
                $0.contains(plain) || plain.hasSuffix($0) && plain.dropLast($0.count).allSatisfy(\.isLetter)
            }
            let isRounded = PartOfIdentifier.rounded(in: run).contains { known.contains(where: $0.fits) }
            let isOther = run.contains(
                /^(?:1[3-9][0-9]{9}|20[0-9]{2}-?(?:0[1-9]|1[0-2])-?[0-3][0-9][Tt-]?[0-9]{2,6})$/)
            if isKnown || isRounded || isOther || labelled.contains(run) || found.contains(run)
                || known.contains(where: { run.hasPrefix($0 + "-") })
            {
                return
            }
            if Self.isWholeIdentifier(run) || TypedText(run).emailedOrder != nil { found.append(run) }
        }
    }

    /// What labels in the text call the account of a customer: behind 我的 or `my` alone, where one is.
    var accounts: [String] { accounts(withDigit: true) }

    /// The same without a digit, which may be any words: only those on record are accounts.
    var wordAccounts: [String] { accounts(withDigit: false).filter { $0.utf8.count >= 4 } }

    private func accounts(withDigit: Bool) -> [String] {
        let label =
            /(?i)(账号|帐号|账户|帐户|(?:用户|会员|玩家|角色|书友)编?号|我的?号|号是|我是(?=[0-9]{6})|account|acct|uid|user(?![0-9a-z_-])|member|id)(?:[\s:=#(\["'“【]|号码?|是|为|id|number|no\.?|is)*((?:[0-9]{4}(?: [0-9]{4})+|[0-9]{3}(?: [0-9]{3}){2,})(?![0-9a-z_-])|[0-9a-z_-]{3,64})/
        let found = beginning.matches(of: label).compactMap { match -> (isOwn: Bool, account: String)? in
            let (account, isID) = (match.2.filter { $0 != " " }, match.1.lowercased() == "id")
            let before = beginning[..<match.range.lowerBound].suffix(20).lowercased()
            let word = String(before.reversed().drop { " _-:".contains($0) }.reversed())
            let isInWord = before.last.map { ($0.isASCII || match.1 == "号是") && $0.isLetter } == true
            if Self.otherLabels.contains(where: word.hasSuffix) || account.utf8.contains(where: isDigit) != withDigit
                || isDate(account)
                || isInWord && !(isID && Self.accountLabels.contains(where: word.hasSuffix))
                || account.utf8.count < Self.runMin && account.utf8.allSatisfy(isDigit)
                || isID && (account.utf8.count >= 15 || TypedText(account).emailedOrder != nil)
            {
                return nil
            }
            return (match.1.hasPrefix("我") || word.hasSuffix("我的") || word.hasSuffix("my"), account)
        }
        return (found.contains(where: \.isOwn) ? found.filter(\.isOwn) : found).map(\.account)
    }

    /// What stands behind this account with nothing but a word between them that joins accounts, one behind the other:
    /// `账号301和小号302`. None where the text also speaks of another person, or of a mistake.
    func joined(to account: String) -> [String] {
        let joint =
            /(?i)[\s,、;\/&+|)]{0,3}(?:和|及|与|跟|以及|还有|and\b)?[\s(]{0,2}(?:[我]?的?(?:大号|小号|主号|副号|另一个(?:账?号|id)?)(?:是|:)?)?[\s)]{0,2}([0-9a-z_-]{4,64})/
        guard !beginning.contains(Self.otherPerson), let place = beginning.firstRange(of: account) else { return [] }
        var (rest, found) = (beginning[place.upperBound...], [String]())
        while found.count < 5, let match = rest.prefixMatch(of: joint) {
            found.append(String(match.1))
            rest = rest[match.range.upperBound...]
        }
        return found
    }

    private static var otherPerson: Regex<Substring> {
        /(?i)朋友|别人|他的|她的|对方|同学|同事|老[公婆]|家人|[爸妈哥姐弟妹]|儿子|女儿|孩子|错|friend|someone|wife|husband|brother|sister|\b(?:his|her|their|wrong)\b/
    }

    /// What looks like this account and is another one: as many digits or one more or less, and the same other signs.
    /// Dates, and numbers behind a label that says what they are, do not count.
    /// - Parameter ids: what in the text is on record.
    func stray(like account: String, besides ids: [String]) -> String? {
        func form(_ text: some StringProtocol) -> String { String(text.lowercased().map { $0.isNumber ? "0" : $0 }) }
        let others = (ids + [account]).reduce(beginning.lowercased()) { $0.replacing($1.lowercased(), with: ";") }
        // Where mobile numbers are accounts, the label of one hides nothing. Elsewhere a mobile number is not an account.
        let phone = account.wholeMatch(of: Self.mobile) == nil ? Self.dividedMobile : Self.mobileLabel
        let text = others.replacing(phone, with: ";")
            .replacing(
                /(?:订单|交易|[^a-z]单|工单|流水|收据|文稿|设备|手机|电话|微信|(?:qq)?群|qq|支付宝|工号|服务器|区服|大区|验证码|邀请码|激活码|邮编|邮政编码|phone|order|transaction|receipt|document|device|ticket|case|server|code)(?:\s?(?:编?号码?|id|no\.?|number))?[\s:#=是为]*[0-9a-z_-]+|20[0-9]{2}[-\/.年\s]\s?[0-9]{1,2}[-\/.月\s]\s?[0-9]{1,2}|[0-9]{1,2}[-\/.\s][0-9]{1,2}[-\/.\s]20[0-9]{2}|\b20[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])\b|[0-9]{1,2}:[0-9]{2}/,
                with: ";")
        let wanted = form(account)
        let isNumber = wanted.allSatisfy { $0 == "0" }
        guard wanted.count >= (isNumber ? Self.runMin : 5) else { return nil }
        if !isNumber { return text.matches(of: /[0-9a-z_-]+/).map { String($0.0) }.first { form($0) == wanted } }
        for chain in text.matches(of: /[0-9]+(?:[ -]+[0-9]+)*/) {
            let parts = chain.0.split { !$0.isNumber }
            // An id on record that blanks divide is none.
            if ids.contains(where: { $0.hasSuffix(parts.joined()) })
                || parts.count > 1 && ids.contains(where: { $0.filter(\.isNumber).contains(parts.joined()) })
            {
                continue
            }
            // Blanks may divide it, and another number may stand behind it.
            let joined = parts.indices.map { parts[...$0].joined() } + parts.map { String($0) }
            let stray = joined.first { number in
                number != account && abs(number.count - wanted.count) <= 1 && number.count >= Self.runMin
                    && !number.contains(/^20[0-9]{2}(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01])$/)
            }
            if let stray { return stray }
        }
        return nil
    }

    /// A mobile number of mainland China.
    private static var mobile: Regex<Substring> { /1[3-9][0-9]{9}/ }

    private static var dividedMobile: Regex<Substring> {
        /(?:^|[^0-9])(?:\+?86[ -]?)?1[3-9][0-9][ -][0-9]{4}[ -]?[0-9]{4}(?![0-9])/
    }

    private static var mobileLabel: Regex<Substring> {
        /(?i)(?:手机|电话|phone|mobile)(?:\s?(?:编?号码?|id|no\.?|number))?[\s:=#是为]*(?:\+?86[ -]?)?(?=1[3-9][0-9](?:[ -]?[0-9]{4}){2}(?![0-9]))/
    }

    /// What an id or an account is not the customer's behind.
    private static let otherLabels = [
        "订单", "交易", "单号", "交易号", "工单", "收据", "文稿", "商品", "产品", "设备", "发放", "流水", "苹果", "银行", "微信", "支付宝", "qq",
        "apple", "order", "transaction", "receipt", "document", "product", "device", "credit", "payment", "purchase",
        "item", "ticket", "exception", "app", "server", "bank", "wechat", "alipay", "paypal", "other", "wrong",
        "friend's", "朋友", "朋友的", "他的", "她的", "别人的", "对方",
    ]
    private static let accountLabels = ["user", "player", "game", "role", "account"]

    /// Something in the text may be an identifier, not only words, an e-mail address, a date or an amount.
    var namesSomething: Bool {
        !core.contains("@") && !isDate(core) && core.utf8.contains(where: isDigit) && core.utf8.count >= 4
            && core.allSatisfy(TypedText.isIdentifierSign) && !PartOfIdentifier.isRounded(beginning)
    }

    fileprivate static func isIdentifierSign(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Rows of numbers with nothing but blanks between them. The first may be the letters that an order id begins with.
    private static func chains(in text: String) -> [[String]] {
        var chains: [[String]] = [[]]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let runs = word.split { !isIdentifierSign($0) }
            // A sign at its beginning ends the chain before it, and one at its end the chain itself.
            if word.first.map(isIdentifierSign) != true { chains.append([]) }
            for (index, run) in runs.enumerated() {
                if index > 0 { chains.append([]) }
                let isNumber = run.utf8.contains(where: isDigit)
                if !isNumber { chains.append([]) }
                if isNumber || run.utf8.count <= 4 { chains[chains.count - 1].append(String(run)) }
            }
            if word.last.map(isIdentifierSign) != true { chains.append([]) }
        }
        return chains.filter { $0.count > 1 }
    }

    private static func isIdentifierLetter(_ character: Character) -> Bool {
        isIdentifierSign(character) || character.isLetter
    }

    /// Runs of letters, digits, `-` and `_` that may be identifiers: they have a digit, and are neither dates nor a part
    /// of an e-mail address. Where a run has letters of other scripts, it comes with them and without. A short account is
    /// one only behind a word that says so.
    private static func identifierRuns(in text: String) -> [String] {
        // The number of a document in Apple's e-mail names no purchase.
        let known = text.replacing(/(?i)(?:文稿编号|document no\.?)[^0-9a-z]{0,4}[0-9]{6,}/, with: " ")
        let words = withoutAddresses(known).split { $0.isWhitespace }
        let runs: [Substring] = words.flatMap { word in
            let runs = word.split { !isIdentifierSign($0) }
            let known = Set(runs)
            return runs + word.split { !isIdentifierLetter($0) }.filter { !known.contains($0) }
        }
        return runs.map { trimmingSigns($0) }.filter { run in
            run.utf8.count >= runMin && run.utf8.contains(where: isDigit) && !isDate(run)
        }
            + text.matches(of: /(?i)(?:账号|帐号|账户|account|uid)[^0-9a-z]{0,6}([0-9a-z_-]{3,5})(?![0-9a-z_@-])/).map {
                String($0.1)
            }
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

/// The text without e-mail addresses and names behind an `@`, which may directly precede or follow an id. The expression has
/// the length limits of addresses. Without them, its time would grow with the square of a long word's length.
private func withoutAddresses(_ text: some StringProtocol) -> String {
    if !text.utf8.contains(UInt8(ascii: "@")) { return String(text) }
    return String(text).replacing(
        /(?i)[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+|@[a-z][a-z0-9._-]*/, with: " ")
}

/// 32 hexadecimal digits in the groups of a UUID; nil for other texts.
private func dashed(_ text: String) -> String? {
    guard text.utf8.count == 32, text.allSatisfy(\.isHexDigit) else { return nil }
    let digits = Array(text)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
}

/// `2026-11-18`, also with the time of ISO 8601 as far as it has no other signs: `2026-11-18T15`; and `18-11-2026`.
private func isDate(_ text: String) -> Bool {
    text.wholeMatch(of: /[0-3]?[0-9]-[0-3]?[0-9]-20[0-9]{2}/) != nil
        || text.utf8.count >= 10 && BusinessDate(String(text.prefix(10))) != nil
            && text.dropFirst(10).wholeMatch(of: /(?:[tT][0-9]{2,6}[zZ]?)?/) != nil
}

/// The texts, then in upper case and in lower case, then as ids of exceptions and retry entries, then the number behind a
/// label such as `ID301000105`. Each once.
private func spellings(_ texts: [String]) -> [String] {
    var seen = Set<String>()
    let texts = texts + texts.compactMap(dashed)
    let cased = texts + texts.map { $0.uppercased() } + texts.map { $0.lowercased() }
    let codes = texts.compactMap { text -> String? in
        guard let first = text.first, "EeRr".contains(first), text.utf8.count == 17 || text.utf8.count == 33 else {
            return nil
        }
        return first.uppercased() + text.dropFirst().lowercased()
    }
    let numbers = texts.compactMap { text -> String? in
        let number = text.utf8.reversed().prefix(while: isDigit).count
        let label = text.dropLast(number).lowercased()
        return number >= 6 && ["id", "userid", "playerid", "uid", "account", "acct"].contains(label)
            ? String(text.suffix(number)) : nil
    }
    return (cased + codes + numbers).filter { !$0.isEmpty && seen.insert($0).inserted }
}

/// The text with digits of any script and full-width signs in ASCII, one kind of hyphen and of blank, and without signs
/// that cannot be seen.
func folded(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar.properties.generalCategory {
        case .format, .control: plain.append(scalar == "\n" || scalar == "\t" ? " " : "\u{200B}")
        case .decimalNumber: plain.append(contentsOf: String(Int(scalar.properties.numericValue ?? 0)).unicodeScalars)
        // ① and the digits of 1\u{FE0F}\u{20E3}.
        case .otherNumber where scalar.properties.numericType == .digit:
            plain.append(contentsOf: String(Int(scalar.properties.numericValue ?? 0)).unicodeScalars)
        case .enclosingMark: break
        case .nonspacingMark where scalar == "\u{FE0F}": break
        case .dashPunctuation: plain.append("-")
        case .spaceSeparator: plain.append(" ")
        default:
            let isWide = (0xFF01...0xFF5E).contains(scalar.value)
            plain.append(isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
        }
    }
    plain.removeAll { $0 == "\u{200B}" }
    return String(plain)
}

/// Without blanks, quotes and other signs at both ends.
private func trimmingSigns(_ text: Substring) -> String {
    var text = text
    func isSign(_ character: Character?) -> Bool { character.map { !$0.isLetter && !$0.isNumber } ?? false }
    while isSign(text.first) { text.removeFirst() }
    while isSign(text.last) { text.removeLast() }
    return String(text)
}
