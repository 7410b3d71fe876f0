/// What a message says of the purchase, without the times of other things: when it was sent, chatted or answered, or when
/// the account was made. Helpdesks' forms, chat logs and quoted mails have such times. See docs/spec/interfaces.md#find-messages.
struct MessageTimes {
    /// The message without the times at which it or another one was written.
    let text: String
    /// The same without other times behind a label, and those of a chat.
    let ownText: String
    /// When the message was written, as its labels say: the times as typed.
    let written: [String]

    private enum Kind {
        case payment, written, quoted, other
    }

    /// - Parameter goods: names of products, which are no speakers.
    init(_ message: String, goods: [String] = []) {
        let chats = message.split(whereSeparator: \.isNewline).compactMap { Self.chat($0, goods) }
        let stamps = Self.stamps(in: message).filter { stamp in !chats.contains { $0.1.overlaps(stamp.range) } }
        let found = (chats + stamps).sorted { $0.1.lowerBound > $1.1.lowerBound }
        func without(_ kinds: Set<Kind>) -> String {
            found.reduce(into: message) { text, time in
                if kinds.contains(time.0) { text.replaceSubrange(time.1, with: " ") }
            }
        }
        (text, ownText) = (without([.written, .quoted]), without([.written, .quoted, .other]))
        written = found.filter { $0.0 == .written }.map { String(message[$0.1]) }
    }

    /// A date with a year, with a time or without; before it, the words that may label it.
    private static var stamp: Regex<(Substring, Substring?, Substring, Substring, Substring?, Substring?)> {
        /([a-z#][a-z0-9#'_-]*(?:\s[a-z#][a-z0-9#'_-]*){0,3}|[^\s,;。|【】\[\]():=0-9a-z]{1,16})?(\s*[:=|]?\s*)((?:(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+[0-9]{1,2}|[0-9]{1,2}\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*),?\s+20[0-9]{2}|20[0-9]{2}[-\/.年]\s?[0-9]{1,2}[-\/.月]\s?[0-9]{1,2}日?)((?:t|,|\s|at\s)*(?:凌晨|早上|上午|中午|下午|晚上)?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?(?:z|\s?[ap]m|\s?[+-][0-9]{2}:?[0-9]{2}|\s?(?:utc|gmt)(?:[+-][0-9]{1,2}(?::?[0-9]{2})?)?)?)?)(.{0,60}?(?:wrote|写道)\s*:)?/
    }

    private static func stamps(in message: String) -> [(kind: Kind, range: Range<String.Index>)] {
        message.matches(of: stamp).map { match in
            let (_, label, sign, time, clock, quote) = match.output
            let range = time.startIndex..<time.endIndex
            if quote != nil { return (.quoted, range) }
            let words = label?.suffix(label?.utf8.first.map { $0 < 0x80 } == true ? 40 : 6) ?? ""
            // Alipay's bill was created when the customer paid.
            let isBill = words.contains("创建") && message.contains(/支付宝|账单/)
            if isBill || words.contains(payment) { return (.payment, range) }
            // The head of a mail.
            if words == "date", time.contains(/^(?:mon|tue|wed|thu|fri|sat|sun)/), clock != nil {
                return (.written, range)
            }
            if words.contains(/账号|账户|角色|注册|登[录陆]|上线|生日|account|character|regist|sign|log|birth/) {
                return (sign.contains { ":=|".contains($0) } || words.hasSuffix("时间") ? .other : .payment, range)
            }
            if words.contains(
                /提交|反馈|发送|发表|发件|收件|评论|创建|新建|工单|留言|上报|来信|来电|受理|ticket|message|sent|submit|open|creat|written|report/)
            {
                return (.written, range)
            }
            let isBare = ["", "时间", "日期", "time"].contains(words) || words == "date" && clock == nil
            return (!isBare && sign.contains { ":=|".contains($0) } ? .other : .payment, range)
        }
    }

    private static var payment: Regex<Substring> {
        /付|支|买|购|充|冲|氪|扣|交易|订单|下单|消费|账单|收据|发票|到账|金额|paid|pay|purchas|charg|bought|buy|order|transact|bill|receipt|invoice|spent|debit/
    }

    /// `小明(12345678) 2025-11-03 9:31:05`
    private static var chatHead: Regex<(Substring, Substring, Substring)> {
        /\s*([^0-9,。:]{1,16}?)(?:\([0-9]{5,12}\))?\s+((?:20[0-9\/.-]{6,8}\s+)?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)\s*/
    }

    /// The time of a line that is the head of a chat's message (`小明 9:31`), or begins with it (`9:31 小明: …`, `[昨天 9:31] …`).
    /// It is quoted, and so never the purchase's; other, and so the purchase's if it is the only one, where what stands beside it
    /// may be no speaker.
    private static func chat(_ line: Substring, _ goods: [String]) -> (kind: Kind, range: Range<String.Index>)? {
        let named =
            line.wholeMatch(of: chatHead).map { ($0.1, $0.2) }
            ?? line.prefixMatch(
                of: /\s*\[?((?:20[0-9\/.-]{6,8}\s+)?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)\]?\s+([^\s0-9,。:]{1,10})\s?:/
            ).map { ($0.2, $0.1) }
        // QQ writes the date and the seconds, so that what stands beside them is a name.
        let dated = line.wholeMatch(of: /\s*(20[0-9\/.-]{6,8}\s+[0-9]{1,2}:[0-9]{2}:[0-9]{2})\s+([^\s0-9,。:]{1,10})\s*/)
        let plain =
            line.prefixMatch(of: /\s*\[((?:[昨前今]天|周[一二三四五六日]|星期[一二三四五六日])\s?(?:[上下]午|晚上)?[0-9]{1,2}:[0-9]{2})\]/)?.1
            ?? line.firstMatch(of: /((?:[0-9-]{3,10}\s)?[0-9]{1,2}:[0-9]{2})\s?来自[^\s]{2,20}\s*$/)?.1
        if let plain { return (.quoted, plain.startIndex..<plain.endIndex) }
        guard let (name, time) = named ?? dated.map({ ($0.2, $0.1) }), !name.contains(payment),
            !name.contains(/[昨今早晚午夜点约天周时]|星期|大概|左右|day|night|morning|noon|\bat\b|about|around/)
        else { return nil }
        let isSpeaker =
            !name.contains(/[没未不到少丢收]|苹果|微信|银行|来自|卡|apple|store|bank|visa|missing|\b(?:not|no)\b/)
            && !goods.contains { $0.lowercased().contains(name) || name.contains($0.lowercased()) }
        if named == nil, !isSpeaker { return nil }
        return (isSpeaker ? .quoted : .other, time.startIndex..<time.endIndex)
    }
}

extension Inquiry {
    /// What a message says about a purchase; empty if it says nothing.
    /// - Parameter ids: what in it is an id on record, and so no amount and no date.
    func description(in text: String, besides ids: [String] = []) -> PurchaseDescription {
        let lines = text.prefix(2000).split(whereSeparator: \.isNewline).map { line in
            // A comma between digits ends a clause, but before three digits; a Chinese one but for `1，298元` or `1，298.00`.
            let line = line.replacing(/(\d)(?:，(?!\d{3}(?:\.\d\d|\s?[元块]))|,(?!\d{3}(?!\d)))(?=\d)/) { $0.1 + ", " }
            return ids.reduce(TypedText.beginning(of: folded(String(line))).lowercased()) {
                $0.replacing($1.lowercased(), with: " ")
            }
        }
        let own = lines.filter { $0.drop { $0 == " " }.first != ">" }
        // What the customer answered counts; without that, what the answer quotes.
        let asked = description(of: own)
        return asked.isEmpty && own.count < lines.count ? description(of: lines) : asked
    }

    private func description(of lines: [String]) -> PurchaseDescription {
        let message = MessageTimes(lines.joined(separator: "\n"), goods: policy.products.names.map(\.name))
        let times = message.written.compactMap { instant(written: $0) }
        // "5 minutes ago" and "yesterday" count from when the customer wrote.
        let reader = reader(at: times.filter { $0 < now && now.milliseconds - $0.milliseconds < Self.writtenMax }.max())
        let asked = reader.read(withoutComplaintTimes(message.ownText))
        // The only time in a message is the purchase's, but for those of chats and complaints.
        let isUntimed = asked.days == nil && asked.arounds.isEmpty
        return isUntimed ? reader.read(withoutComplaintTimes(message.text)) : asked
    }

    /// 31 days.
    private static let writtenMax: Int64 = 31 * 86_400_000

    private func instant(written text: String) -> Instant? {
        let read = Array(text.uppercased().utf8).withUnsafeBytes { Parse.instant($0, zone: policy.zone) }
        if let read { return read }
        let said = reader().read(text.replacing(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?/, with: ""))
        guard let day = said.days?.lowerBound else { return nil }
        return Instant(milliseconds: policy.zone.start(of: day).milliseconds + Int64(said.arounds.first ?? 0) * 60_000)
    }
}

// Times of other zones.
extension DescriptionReader {
    /// A time of day and the zone that stands beside it.
    private struct ZonedTime {
        /// Where it is in the text, without its date.
        let range: Range<String.Index>
        /// What the time is read from: the words of the text and this time, or the text where the zone stands apart from it.
        let words: String
        /// In minutes east of Greenwich.
        let offset: Int
        /// Customers use the zone's name in summer and in winter.
        let isSeasonal: Bool
        /// A date with a year stands before it.
        let hasDate: Bool
    }

    /// Names that mean one zone, with their minutes east of Greenwich. CST is China's, and so the shop's.
    private static let zones: [(names: [String], offset: Int, isSeasonal: Bool)] = [
        (["z", "utc", "gmt", "etc/gmt", "etc/utc", "世界时"], 0, false),
        (["hkt", "sgt", "北京时间", "香港时间", "台北时间", "东八区", "beijing time", "china time", "hong kong time"], 480, false),
        (["jst", "kst", "东京时间", "日本时间", "韩国时间", "tokyo time", "japan time"], 540, false),
        (["pst"], -480, true), (["pdt", "mst"], -420, true), (["mdt"], -360, true), (["cdt", "est"], -300, true),
        (["edt"], -240, true), (["cet"], 60, true), (["cest"], 120, true), (["aest"], 600, true), (["aedt"], 660, true),
    ]

    /// A time with a zone behind it; before it, a date.
    private static var zoneBehind: Regex<(Substring, Substring?, Substring, Substring?, Substring)> {
        /(?:(20[0-9]{2}[-\/.年]\s?[0-9]{1,2}[-\/.月]\s?[0-9]{1,2}日?|[0-9]{1,2}\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s20[0-9]{2}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s[0-9]{1,2},?\s20[0-9]{2})(?:t|,|\s|at\s)*|^|[^0-9:.\/-])([0-9]{1,2}(?:\.[0-9]{2}(?=\s?[ap]\.?m)|:[0-9]{2}(:[0-9]{2}(?:[.,][0-9]+)?)?)?(?:\s?(?:[ap]m\b|[ap]\.m\.))?)\s?[(\[]?(z\b|[+-][0-9]{2}:?[0-9]{2}(?![0-9])|(?:etc\/)?(?:utc|gmt)\b(?:\s?[+-]\s?[0-9]{1,2}(?::?[0-9]{2})?)?|(?:[pme][sd]t|cdt|cest|cet|aest|aedt|jst|kst|hkt|sgt)\b|(?:beijing|china|hong kong|tokyo|japan) time|(?:北京|香港|台北|东京|日本|韩国)时间|东八区|世界时)/
    }

    private static var zoneApart: Regex<Substring> {
        /(?:北京|香港|台北|东京|日本|韩国)时间|东八区|(?:beijing|china|hong kong|tokyo|japan) time/
    }

    /// A zone with a time behind it.
    private static var zoneBefore: Regex<(Substring, Substring, Substring)> {
        /((?:utc|gmt)\b(?:\s?[+-]\s?[0-9]{1,2}(?::?[0-9]{2})?)?)[)\]]?\s?[:,]?\s?([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?(?:[ap]m\b|[ap]\.m\.))?)/
    }

    /// Nil if the text names no zone beside a time, or one that cannot be told.
    private func zonedTime(in text: String) -> ZonedTime? {
        let words = text.replacing(/[0-9][0-9:]*/, with: " ") + " "
        for match in text.matches(of: Self.zoneBehind) {
            let (_, date, time, seconds, name) = match.output
            // 9:30-10:30 is a span of time.
            let isOffset = !name.contains(where: \.isLetter)
            let isExact = time.contains(":") && (seconds != nil || !name.hasPrefix("-"))
            guard isExact || !isOffset && name != "z" && time.contains("m") else { continue }
            guard let zone = Self.zone(name) else { continue }
            return ZonedTime(
                range: time.startIndex..<name.endIndex, words: words + time, offset: zone.offset,
                isSeasonal: zone.isSeasonal, hasDate: date != nil)
        }
        let before = text.firstMatch(of: Self.zoneBefore)
        let name = before?.output.1 ?? text.firstMatch(of: Self.zoneApart)?.output
        return name.flatMap { name in
            Self.zone(name).map { zone in
                ZonedTime(
                    range: before?.range ?? name.startIndex..<name.endIndex,
                    words: before.map { words + $0.output.2 } ?? text.replacing(name, with: " "), offset: zone.offset,
                    isSeasonal: false, hasDate: false)
            }
        }
    }

    /// `gmt+8`, `+08:00`, `pst`
    private static func zone(_ text: Substring) -> (offset: Int, isSeasonal: Bool)? {
        var name = text.prefix { !"+-".contains($0) }
        let digits = text.dropFirst(name.count).filter(\.isNumber)
        while name.last == " " { name.removeLast() }
        let known = zones.first { $0.names.contains(name.isEmpty ? "utc" : String(name)) }
        if digits.isEmpty { return known.map { ($0.offset, $0.isSeasonal) } }
        let hours = digits.count > 2 ? digits.dropLast(2) : digits[...]
        let minutes = digits.dropFirst(hours.count)
        guard ["", "utc", "gmt"].contains(name), let hour = Int(hours), hour <= 14,
            let minute = minutes.isEmpty ? 0 : Int(minutes), minute < 60
        else { return nil }
        return ((text.contains("-") ? -1 : 1) * (hour * 60 + minute), false)
    }

    /// Reads a time of a named zone as the shop's clocks show it. Its date is of that zone, too, if it stands before it; else
    /// it may be of either.
    /// - Returns: the text without the time and its zone. Nil without one.
    func readZonedTime(in text: String, into found: inout PurchaseDescription) -> String? {
        guard let zoned = zonedTime(in: text), let (arounds, within) = time(in: zoned.words) else { return nil }
        let start = zone.start(of: found.days?.lowerBound ?? today)
        let shift = Int(zone.offset(at: start) / 60_000) - zoned.offset
        (found.arounds, found.within) = (arounds, within + (zoned.isSeasonal ? 60 : 0))
        if shift != 0 {
            let days = arounds.map { Int32(Int64($0 + shift).flooredDivision(by: 1440)) }
            found.arounds = zip(arounds, days).map { $0 + shift - Int($1) * 1440 }
            let slack: Int32 = zoned.hasDate ? 0 : 1
            found.days = found.days.map {
                BusinessDate(
                    day: $0.lowerBound.day + (days.min() ?? 0) - slack)...BusinessDate(
                        day: $0.upperBound.day + (days.max() ?? 0) + slack)
            }
        }
        var rest = text
        rest.replaceSubrange(zoned.range, with: " ")
        return rest
    }
}
