// What customers write about a payment.

/// The beginning of a message without plain questions, in simplified Chinese as far as words of complaints need it.
func statements(in text: String) -> String {
    String(TypedText.beginning(of: text).map { simplified[$0] ?? $0 }).replacing(plainQuestion, with: "")
}

private let simplified = Dictionary(
    uniqueKeysWithValues: zip("費閱續兒亂誤觸盜過為動雙複筆漲價貴變試級給經權關瞞機孫錢還", "费阅续儿乱误触盗过为动双复笔涨价贵变试级给经权关瞒机孙钱还"))

/// Words like those of complaints, where nothing was charged.
var plainQuestion: Regex<Substring> {
    /(?i)取消.{0,4}自动续费(?!.*扣)|(?:app|版本|系统|软件|手机|ios)\s?升级|试用[券卡装]|升级.{0,30}还是(?:月|老|旧|原)|upgrad.{0,60}still (?:monthly|the old|on)/
}

/// What customers write who were charged twice, at a higher price, after a trial or after an upgrade.
var complaintAboutCharge: Regex<Substring> {
    /(?i)扣.{0,3}[两二2三3多双][次笔遍份]|[两二2三3多]次.{0,2}扣|重复扣|多扣|乱扣|莫名.{0,4}扣|[怎为]什?么.{0,4}扣|为啥.{0,4}扣|涨价|变贵|差价|试用|自动续费|升级|[还又](?:在|给|被)?扣|自动扣|[早都经明]就?取消了?.{0,3}(?:订阅|续费|会员)|cancell?ed (?:my|the|this) (?:subscription|membership|plan|trial)|(?:charged|billed) (?:me )?(?:twice|two times|again|double)|double.?charge|two charges|still (?:charged|billed)|overcharge|higher price|price (?:rise|increase|went up)|used to (?:be|cost)|trial|upgrad|auto.?renew|没点|(?:孩子|小孩).{0,6}充|\bmy (?:kid|child|son|daughter)|without asking/
}

/// What customers write who want their money back.
var wishForMoney: Regex<Substring> {
    /(?i)拒付|撤单|求退|退(?:款|钱|费|我|一下|个款|回|一笔)|[全能给要想]额?退|返还|退还|refund|reimburse|money back|chargeback|dispute/
}

/// Whether a customer wants money back, did not pay, or did not agree to the charge.
func disputesPayment(_ message: String) -> Bool {
    message.contains(wishForMoney) || message.contains(foreignPayment)
}

/// What customers write who did not pay themselves, or who did not agree to the charge.
private var foreignPayment: Regex<Substring> {
    #/
    (?i)
    # Another person, or a mistake.
    盗[刷用充] | 被人?盗 | (?:不是|非)(?:我|本人).{0,4}(?:操作|[买充付点]) | 没有?(?:[买点充]|充值|玩)过 | 误[触点充操买付]
    | (?:孩|娃|小朋友|小学生|未成年|儿子|女儿|弟弟|妹妹|孙[子女]|外甥|宝宝).{0,8}
      (?:偷|私自|擅自|瞒|背着|[乱误]|不小心|不懂|没经|未经|不知道|[用拿].{0,4}(?:手机|账号|密码))
    | 偷偷.{0,3}[用拿买充付花刷扣] | 瞒着我 | 背着我
    | accident | hacked | stolen | behind\ my\ back | (?:bought|purchased|paid|ordered|clicked|tapped).{0,20}by\ mistake
    | recogni[sz]e\ (?:this|the|that)\ (?:charge|payment) | (?:did\ not|didn.t|never)\ (?:buy|bought|make)
    # No consent.
    | 未授权 | (?:没有?|未)(?:经过?)?(?:我|本人|家长|父母|大人)?们?的?(?:同意|允许|授权) | 私自扣 | 擅自扣
    | (?:我|自己|本人|根本|从来|压根|完全)[都就并也]?没有?订阅(?![成上到])
    | unauthori[sz] | (?:did\ not|didn.t|never)\ (?:approve|authori[sz]|agree|consent|subscribe)
    | (?:w\/o|without)\ (?:my\ |our\ |any\ )?(?:asking|permission|consent|knowledge|knowing|approval|telling)
    # Charged for what was cancelled.
    | (?:扣|收[了我费钱]).{0,25}(?:取消|退订|关掉|关闭)[了过]?.{0,4}(?:订阅|续[费订]|会员|自动)
    | (?:取消|退订|关掉|关闭)[了过]?.{0,4}(?:订阅|续[费订]|会员|自动).{0,20}(?:扣|收[了我费钱]|自动续)
    | (?:扣|收[了我费钱]).{0,25}(?:订阅|续[费订]|会员)[^单]{0,6}(?:取消|退订|关掉|关了)
    | (?:订阅|续[费订]|会员)[^单]{0,6}(?:取消|退订|关掉|关了).{0,20}(?:扣|收[了我费钱])
    | (?:扣|收[了我费钱]).{0,25}退订[了过] | 退订[了过].{0,20}(?:扣|收[了我费钱])
    | (?:charg|bill).{0,60}(?:\b(?:i|we)(?:.ve|.d)?\b.{0,12}cancell?ed|unsubscribed)
    | (?:\b(?:i|we)(?:.ve|.d)?\b.{0,12}cancell?ed|after\ cancell?ing|unsubscribed).{0,60}(?:charg|bill)
    /#
}

/// Whether a customer complains about a price. A message that also says that goods are missing is not about the price.
func isAboutPrice(_ message: String) -> Bool {
    message.contains(/首[月年季周]的?(?:优惠|特价|半价|折扣|特惠)[都也就]?没(?:给|算|享|减|用上)/)
        || !message.contains(missingGoods) && message.contains(complaintAboutPrice)
}

private var complaintAboutPrice: Regex<Substring> {
    #/
    (?i)
    贵了\s?[0-9.]+\s?[块元] | (?:怎么|为什么|为啥|突然).{0,6}贵了 | (?:价格|价钱|扣费|收费)[都也]?不对
    | 怎么[还又]?收了?我?\s?[0-9]+(?![0-9.]*\s?[个币钻]) | 不是\s?[0-9.]+\s?[块元]?吗.{0,6}[收扣涨变]
    | 说好的?(?:是)?\s?[0-9.]+\s?[块元]?(?:钱)?(?:一个?|每|包)?[月年季周]
    | (?:charged|billed)\ (?:me\ )?[$¥€£]?[0-9.]+\ ?(?:[a-z]{3,4}\ )?instead\ of
    /#
}

private var missingGoods: Regex<Substring> {
    /(?i)没有?[到收看给开]|未到|不到账|(?:n.t|not) (?:arrive|get|receive)|never|nothing|missing/
}

/// The two prices of a subscription that a customer compares: 这个月扣28，上个月才25. Nil if the message compares none, or says that
/// goods are missing.
func comparedPrices(in message: String) -> [Substring]? {
    guard message.contains(/(?i)[月季年周]卡|会员|订阅|包月|套餐|\bvip\b|\bplan\b|subscri|member/),
        !message.contains(missingGoods)
    else { return nil }
    let found = pricesOfTwoTimes.lazy.compactMap { message.firstMatch(of: $0)?.output }.first
    return found.flatMap { $0.1 == $0.2 ? nil : [$0.1, $0.2] }
}

/// No date and no count of something else.
private var pricesOfTwoTimes: [Regex<(Substring, Substring, Substring)>] {
    [
        #/
        (?:这个?|本)月 [^0-9]{0,12} ([0-9]+(?:\.[0-9]+)?)(?![0-9.]*\s?[号日月次笔个天点时:\/-])
        [^0-9]{0,16} (?:上个?月|之前|以前|原[来先]) [^0-9]{0,8}
        ([0-9]+(?:\.[0-9]+)?)(?![0-9.]*\s?[号日月次笔个天点时:\/-])
        /#,
        #/
        (?:上个?月|之前|以前|原[来先]) [^0-9]{0,8} ([0-9]+(?:\.[0-9]+)?)(?![0-9.]*\s?[号日月次笔个天点时:\/-])
        [^0-9]{0,16} (?:(?:这个?|本)月|现在) [^0-9]{0,12}
        ([0-9]+(?:\.[0-9]+)?)(?![0-9.]*\s?[号日月次笔个天点时:\/-])
        /#,
        #/
        (?i)([0-9]+(?:\.[0-9]+)?)(?:\s?[a-z]{3,4})?\s(?:now|this\ month)\b
        [^0-9]{0,30}\b(?:was|were|only|paid|before|last\ month)\b[^0-9]{0,8}
        ([0-9]+(?:\.[0-9]+)?)(?![0-9.]*(?:[:\/-]|st|nd|rd|th|\s(?:day|month|time)))
        /#,
        #/
        (?i)\b(?:was|were|only|paid|last\ month)\b[^0-9]{0,8}([0-9]+(?:\.[0-9]+)?)(?:\s?[a-z]{3,4})?
        [^0-9]{0,24}\b(?:now|this\ month)\b[^0-9]{0,12}
        ([0-9]+(?:\.[0-9]+)?)(?![0-9.]*(?:[:\/-]|st|nd|rd|th|\s(?:day|month|time)))
        /#,
    ]
}

/// What the message says, beside what was found.
extension LookupAnswer {
    /// The message asks for money back that was not given back yet.
    public var asksForRefund: Bool {
        isFound && (subjects.isEmpty || !subjects.allSatisfy(\.isRefunded))
            && statements(in: pasted?.message ?? identifier).contains(wishForMoney)
    }

    /// The message names the end of a phone's number, by which nothing is searched.
    public var namesPhonesEnd: Bool {
        subjects.isEmpty && identifier.contains(/(?:手机|电话)[^，。,;；单易]{0,10}尾号/)
    }

    /// Six digits in the message that are not on record and may be a date. They are not read as one: they may be an account, a
    /// time or a code.
    public var bareDate: String? {
        let date =
            /(?:^|[^0-9A-Za-z_.-])(2[0-9](?:0[1-9]|1[0-2])[0-3][0-9]|(?:[0-3][0-9](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])[0-3][0-9])2[0-9])(?![0-9A-Za-z_-])/
        guard isFound || list != nil, let found = identifier.prefix(2000).firstMatch(of: date)?.1 else { return nil }
        return readAs.contains(String(found)) || unknown?.id == String(found) ? nil : String(found)
    }
}
