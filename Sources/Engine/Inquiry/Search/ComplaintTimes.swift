/// The text without the days and times of what customers tell beside the purchase: when they complained, asked or looked again, and
/// until when they want an answer. A time counts as such only where the words directly before or behind it say so. The text is in
/// small letters. See docs/spec/interfaces.md#find-messages.
func withoutComplaintTimes(_ text: String) -> String {
    text.matches(of: moment).reversed().reduce(into: text) { rest, time in
        let (before, after) = (text[..<time.range.lowerBound].suffix(60), text[time.range.upperBound...].prefix(30))
        // `paid yesterday, contacted support`: only at the beginning of a clause, a day goes with what follows.
        let isFirst = before.contains(/(?:^|[,.;!?。\n]|\b(?:and|but|so))\s*$/)
        let isToday = time.0.contains(/today|tonight|this morning/)
        if before.contains(complaintBefore) || after.prefixMatch(of: complaintBehind) != nil
            || isFirst && after.prefixMatch(of: contactBehind) != nil
            || isToday && before.contains(/\bstill\b[a-z\s]*$/)
        {
            rest.replaceSubrange(time.range, with: " ")
        }
    }
}

/// A day, a time of day, or both.
private var moment: Regex<Substring> {
    /(?:(?:大?前天|前[儿晚]|[昨今][天日儿晚夜早晨]|刚[才刚]|上{0,2}个?(?:周|星期|礼拜)[一二三四五六日天]|上{1,2}个?(?:周|星期)|[0-9一二两三四五六七八九十半]{1,3}个?(?:天|小时|分钟|周|星期)前|(?:20[0-9]{2}[-\/.年]\s?)[0-9]{1,2}[-\/.月][0-9]{1,2}[日号]?|[0-9]{1,2}月[0-9]{1,2}[日号]?|[0-9]{1,2}-[0-9]{2}\s(?=[0-9]{1,2}:)|[0-9]{1,2}[日号]|凌晨|早上|晚上|清晨|上午|中午|下午|傍晚|夜里|半夜|深夜|晚间|[0-9一二两三四五六七八九十]{1,3}点(?:半|一刻|[0-9]{1,2}分?)?多?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?|\b(?:on\s)?(?:(?:the\s)?day before yesterday|yesterday(?:\s(?:morning|afternoon|evening|night))?|today|tonight|last (?:night|week)|this (?:morning|afternoon|evening)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|[0-9a-z]{1,5}\s(?:minute|hour|day|week)s?\sago|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s[0-9]{1,2}(?:st|nd|rd|th)?|[0-9]{1,2}(?:st|nd|rd|th)?\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b)\s?)+/
}

private var complaintBefore: Regex<Substring> {
    /(?:(?:投诉|反馈|举报|联系|咨询|求助|来信)(?:的?时间|日期)\s?:?|截[至止到]|等到|\b(?:contacted|wrote|written|e-?mailed|mailed|messaged|told|asked|called|replied|reply|responded|respond|answer|reported|complained|chatted|spoke)\b(?:\s(?:to|with|me|us|you|your|the|about|this|it|support|team|agent|customer|service|already|again|by|at))*)\s?$/
}

private var complaintBehind: Regex<Substring> {
    /\s?(?:就|已经?|又|也|还|我们?|都|给|跟|向|和|才|有|再|去)*(?:找(?:过|了|你|客|人)|联系|反馈|反映|投诉|举报|催|问(?:过|了|你|客)|咨询|(?:你们)?(?:的|家)?客服|你们说|说(?:会|已|要|好|过)|答应|答复|回复|再?查(?:过|看|还)|登[录陆]看|重装|卸载|[还仍也都](?:是|旧|然)?(?:没|未))|\s?(?:之?[前内])?(?:必须|务必|请|不|没|未|要|能|再)*(?:给我?|帮我?)?(?:处理|解决|答复|回复)/
}

private var contactBehind: Regex<Substring> {
    /\s?(?:i|we|your|the|an|you)?\s?(?:already\s|have\s|customer\s)?(?:contacted|wrote|e-?mailed|mailed|messaged|told|complained|reported|support|agent|promised|said)\b/
}
