// What in a message speaks against what its ids say.
extension LookupAnswer {
    /// Adds the ids of the account's purchases whose goods are missing and that none of these answers shows. The customer is
    /// not told that everything was delivered until somebody has looked them up.
    mutating func addLost(of account: String, besides answers: [LookupAnswer], in source: Inquiry) throws {
        let cases = try source.casesInOrder(knowing: [account], emailed: [], besides: [], exceptions: [])
        let inquiry = try CaseInquiry(source, cases: Set(cases.prefix(Inquiry.subjectsMax)))
        let shown = Set(answers.flatMap { $0.subjects + ($0.list?.purchases ?? []) }.flatMap(\.facts.transactions))
        lost = inquiry.subjects.filter { finding in
            let judgement = finding.judgement
            return judgement.owner?.text == account && !shown.contains(finding.subjectID)
                && source.handOuts[judgement.subject.id] == nil
                && (judgement.verdict == .paidNotCredited
                    || judgement.cause == .waitsPaidNotCredited)
        }.map { ($0.subjectID, $0.judgement.amount) }.ordered { $0.0 < $1.0 }
        if lost.isEmpty { return }
        for index in subjects.indices where subjects[index].facts.verdict == .matched {
            subjects[index].isUnproven = true
        }
    }

    /// Adds the payments without a known owner that fit the description, or that may be the payment of an order shown
    /// without one: they may be any customer's, so neither an account nor an order hides them.
    /// - Parameter asked: nil if the message is about a purchase that is shown.
    mutating func addUnowned(fitting asked: PurchaseDescription?, in source: Inquiry, mayBrowse: Bool) throws {
        let shown = Set(subjects.flatMap(\.facts.transactions))
        func unowned(_ asked: PurchaseDescription, isOpen: Bool = false) throws -> [CaseInquiry.JudgedSubject] {
            try source.found(asked, isOpen: isOpen).filter {
                $0.judgement.owner == nil && !shown.contains($0.subjectID)
            }
        }
        var found = try asked.flatMap { source.isOutside($0) ? nil : try unowned($0) } ?? []
        let isDescribed = !found.isEmpty
        let window = source.policy.suggestionWindow
        for index in subjects.indices.filter({ subjects[$0].isUnpaidOrder }).prefix(Self.unpaidMax) {
            let facts = subjects[index].facts
            var order = PurchaseDescription()
            order.days =
                source.policy.zone.date(of: facts.eventAt)...source.policy.zone.date(of: facts.eventAt + window)
            order.products = facts.product.map { [Identifier($0)] } ?? []
            let payments = try unowned(order, isOpen: true).filter { payment in
                payment.lacksGoods && (facts.eventAt...facts.eventAt + window).contains(payment.judgement.anchor)
            }
            if payments.isEmpty { continue }
            let ids = payments.map(\.subjectID).ordered().prefix(CaseInquiry.candidatesMax)
            subjects[index].openPurchases = Array(ids)
            subjects[index].safety = .purchaseOpen(Array(ids))
            found += payments
        }
        if found.isEmpty { return }
        let keys = Set(found.map(\.judgement.subject))
        let inquiry = try CaseInquiry(source, cases: Set(found.map(\.caseID)))
        try show(
            list: inquiry.subjects.filter { keys.contains($0.judgement.subject) }, of: inquiry, FoundPurchases())
        let isEmpty = list?.purchases.isEmpty != false
        if isEmpty || !mayBrowse { list = nil }
        if isEmpty { return }
        route = mayBrowse ? .unownedFits : .unownedHidden
        for index in subjects.indices where isDescribed { subjects[index].isUnproven = true }
    }

    /// For how many orders without a payment one is searched.
    private static let unpaidMax = 5

    /// Withholds a YES where the text names an account that may be the customer's, and is not the owner.
    mutating func doubt(strays typed: TypedText, besides known: [String]) {
        for index in subjects.indices where subjects[index].safety.isSafe {
            let facts = subjects[index].facts
            guard let owner = subjects[index].owner,
                let stray = typed.stray(like: owner, besides: known + facts.transactions + facts.orders)
            else { continue }
            subjects[index].safety = .accountUnclear(stray)
            subjects[index].isUnproven = true
        }
    }
}

/// Why the goods of a payment without a known owner are not given to an account.
public enum AccountObjection: Sendable {
    /// It is not on record; the accounts that it may mean.
    case unknown(near: [String])
    /// What the look-up would say if it were the owner.
    case safety(LookupSafety, Verdict)
}

extension Inquiry {
    /// The account that the customer is said to have; nil if an order, a credit or a receipt names it.
    func unknown(account: String) throws -> String? { try isAccount(account) ? nil : account }

    /// The cases of payments without a known owner whose goods a lead gave to one of the accounts.
    func casesGiven(to texts: [String]) throws -> Set<CaseID> {
        let given = handOuts.values.filter { $0.account.map(texts.contains) == true }.map(\.transaction.text)
        return given.isEmpty ? [] : try history.cases(knowing: given)
    }

    /// Nil if nothing speaks against giving the goods of the transaction to that account, byte for byte.
    public func objection(toGiving transaction: String, to account: String) throws -> AccountObjection? {
        guard try isAccount(account) else {
            let (meant, typed) = (try self.account(typed: account), TypedText(account))
            let alike = try typed.namesSomething ? near(typed).filter { $0.kind == .account }.map(\.id) : []
            return .unknown(near: meant == account ? Array(alike.prefix(3)) : [meant])
        }
        var asked = self
        asked.presumedOwners[Identifier(transaction)] = Identifier(account)
        let subject = try asked.answer(transaction).subjects.first { $0.facts.transactions.contains(transaction) }
        guard let subject else { return .safety(.ownerUnknown, .paidNotCredited) }
        let safety = subject.needsOwner ? subject.besidesOwner : subject.safety
        return safety.flatMap { $0.isSafe ? nil : .safety($0, subject.facts.verdict) }
    }
}

/// Words of such complaints that are none, where nothing was charged.
var plainQuestion: Regex<Substring> {
    /(?i)取消.{0,4}自动续费(?!.*扣)|(?:app|版本|系统|软件|手机|ios)\s?升级|试用[券卡装]/
}

/// What customers write who were charged twice, at a higher price, after a trial or after an upgrade.
var complaintAboutCharge: Regex<Substring> {
    /(?i)扣.{0,3}[两二2三3多双][次笔遍份]|[两二2三3多]次.{0,2}扣|重复扣|多扣|乱扣|莫名.{0,4}扣|[怎为]什?么.{0,4}扣|为啥.{0,4}扣|涨价|变贵|差价|试用|自动续费|升级|[还又](?:在|给|被)?扣|(?:charged|billed) (?:me )?(?:twice|two times|again|double)|double.?charge|two charges|still (?:charged|billed)|overcharge|higher price|price (?:rise|increase|went up)|used to (?:be|cost)|trial|upgrad|auto.?renew|没点|(?:孩子|小孩).{0,6}充|\bmy (?:kid|child|son|daughter)|without asking/
}

/// What customers write who want their money back, and who did not pay themselves.
var disputeOfPayment: Regex<Substring> {
    /(?i)盗[刷用充]|被人?盗|(?:不是|非)(?:我|本人).{0,4}(?:操作|[买充付点])|没有?(?:[买点充]|充值|玩)过|误[触点充操]|未授权|求退|退(?:款|钱|费|我|一下|个款|回来)|[全能给要想]额?退|unauthori[sz]|(?:did not|didn.t|never) (?:buy|bought|make|approve|authori[sz])|recogni[sz]e (?:this|the|that) (?:charge|payment)|accident|hacked|stolen|chargeback|dispute|refund|reimburse|money back/
}

extension Inquiry {
    /// Whether a message says more than what was bought and when, and not that goods are missing. A word that the plain ones
    /// lack costs a look at the message, and nothing else.
    func asksMore(than ids: [String], in text: String) -> Bool {
        guard text.contains(where: { $0.isWhitespace || !$0.isASCII }) else { return false }
        let message = ids.reduce(TypedText.beginning(of: folded(text)).lowercased()) {
            $0.replacing($1.lowercased(), with: " ")
        }
        if message.contains(missingGoods) { return false }
        let names = policy.products.names.map { $0.name.lowercased() }.filter(message.contains)
        let rest = names.reduce(message) { $0.replacing($1, with: " ") }
            .replacing(/[a-z_-]*[0-9][0-9a-z_-]*/, with: " ").replacing(plainWords, with: " ")
        return rest.contains(where: \.isLetter)
    }
}

/// What customers write whose goods are missing.
private var missingGoods: Regex<Substring> {
    /没(?!想到|料到)有?(?:给|[^,.;!?。]{0,3}?(?:到|收|发|来|效|加|看|见|显|成功|充[进上到成]|入|开通|增|动静|反应|变|补|拿|领))|未[^,.;!?]{0,3}?(?:到|收|发|加|效|成功|入|开通)|没有?(?:[,.!?;。\s]|$)|没了|木有|收不到|看不到|不见|不[给发]|不显示|不生效|不到账|少了|少给|[缺漏]|[丢掉]单|在哪|哪[里儿]?去|失败|补[单发一给上下]|空的|(?:\b(?:not|never|no|nothing|without)\b|n['’]?t\b)[^.;!?]{0,30}?(?:receiv|arriv|\bg[eo]t\b|credit|add|show|deliver|appear|c[ao]me\b|there|work|activ|\bsee\b)|\bno (?:coins?|gems?|beans?|diamonds?|credits?|points?|items?|goods|vip)\b|missing|nothing|where (?:is|are)|still (?:no|wait)/
}

/// What says neither that goods are missing nor that the customer wants something else.
private var plainWords: Regex<Substring> {
    /订单|交易|流水|账单|收据|编?号码?|单号?|账[户号]|用户|会员|玩家|角色|书友|读者|苹果|昵称|区服?|服务器|充值?|冲|氪|买|购买?|付款?|支付|扣款?|消费|金额|商品|产品|时间|日期|时候?|人民币|[美日港欧]元|[港台]币|块钱?|元|[昨今前大]|天|[日年月周]|星期|礼拜|[早中晚上下午夜]|凌晨|[半点分刻秒]|左右|大[概约]|差不多|[多快刚才约]|[我你您]|北京|东八区|[的了是为在和跟与这那个笔次]|[一二两三四五六七八九十百零〇]|[好请查看谢亲吗呢吧啊麼用]|您好|麻烦|联系方?式?|电话|回复|尽快|处理|核实|急|帮忙?|查询|一下|客服|邮[箱件]|手机|设备|[款钱卡币]|游戏|应用|\b(?:orders?|transactions?|ids?|nos?|numbers?|accounts?|acct|users?|uid|members?|membership|my|the|an?|i|me|we|it|is|was|were|am|pm|for|of|on|at|in|to|and|from|about|around|by|please|pls|check|look|up|hi|hello|dear|sir|team|support|thanks?|thank|you|paid|pay|payments?|bought|buy|purchased?|yesterday|today|last|this|that|night|morning|evening|afternoon|ago|days?|hours?|minutes?|(?:mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur|sun)(?:day)?|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*|utc|gmt|[pemc][sd]?t|cest?|[hjk]st|hkt|usd|cny|rmb|yuan|dollars?|e?-?mail|receipt|apple|app|store|ios|date|time|amount|price|products?|items?|device|have|had|with|coins?|gems?|beans?|vip|monthly|yearly|subscription)\b/
}

extension LookupSubject {
    /// It is an order, and nothing of it is known but that no payment came.
    fileprivate var isUnpaidOrder: Bool {
        guard safety == .verdict, facts.transactions.isEmpty, facts.credits.isEmpty, !facts.orders.isEmpty else {
            return false
        }
        switch facts.verdict {
        case .closed: return ![.refunded, .reversed, .receiptRejected].contains(facts.cause)
        case .waiting, .orderUnverified: return true
        default: return false
        }
    }
}
