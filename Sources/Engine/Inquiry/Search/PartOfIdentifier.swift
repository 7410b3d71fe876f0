/// A part of an identifier, as customers read it from a screen: last digits, a beginning, or both with a gap.
/// See docs/spec/interfaces.md#lookup-parts.
public struct PartOfIdentifier: Hashable, Sendable {
    /// How it was given. The raw values are written to JSON.
    public enum Kind: String, Sendable, CaseIterable {
        /// Letters and digits that look alike, such as O and 0.
        case lookAlike = "look_alike"
        case leadingZeros = "leading_zeros"
        case ending, beginning, masked
    }
    public let kind: Kind
    /// What the identifier begins with; empty if unknown.
    public let beginning: String
    /// What the identifier ends with; empty if unknown.
    public let ending: String

    private static let endingMin = 4
    private static let beginningMin = 6
    private static let maskedBeginningMin = 2

    init(_ kind: Kind, beginning: String = "", ending: String = "") {
        (self.kind, self.beginning, self.ending) = (kind, beginning, ending)
    }

    /// The parts that a message names, the most telling first. None if nothing says that something is a part.
    static func parts(in text: String) -> [PartOfIdentifier] {
        var found: [PartOfIdentifier] = []
        let text = text.replacing(cards, with: " ")
        // A gap is two stars or more, three times x or more, or an ellipsis.
        for match in text.matches(of: /([A-Za-z0-9_-]*?)(?:[*•]{2,}|[xX]{3,}|…+|\.{3,})([A-Za-z0-9_-]*)/) {
            let (beginning, ending) = (String(match.output.1), String(match.output.2))
            guard (beginning + ending).utf8.contains(where: { (48...57).contains($0) }) else { continue }
            let hasEnding = ending.count >= endingMin
            let kind: Kind? =
                hasEnding && beginning.count >= maskedBeginningMin
                ? .masked
                : hasEnding && beginning.isEmpty ? .ending : beginning.count >= beginningMin ? .beginning : nil
            if let kind { found.append(PartOfIdentifier(kind, beginning: beginning, ending: ending)) }
        }
        // The first sign of two tails is that of both: 尾号1846和9491.
        let tails = text.replacing(
            /((?:尾号|ending in )[^0-9A-Za-z]{0,8}[0-9]{4,})(?:和|及|与|、| and )([0-9]{4,})(?![0-9年元块.])/
        ) {
            $0.1 + " 尾号" + $0.2
        }
        let named =
            tails.matches(
                of:
                    /(?:尾号|末尾|结尾|最后|[末后](?=[0-9一二三四五六七八几]{1,2}位))[^0-9A-Za-z]{0,8}(?:[0-9]{1,2}位)?[^0-9A-Za-z]{0,6}([0-9]{4,})/
            ).map(\.output.1)
            + tails.matches(of: /(?i)(?:ending|ends)(?:\s+(?:in|with))?\s*:?\s*([A-Z0-9]*[0-9]{4,})/).map(\.output.1)
            + tails.matches(
                of:
                    /(?i)last\s+(?:[0-9]{1,2}|four|five|six|eight)?\s*(?:(?:digits|numbers)[^0-9]{0,12}|:?\s+)([0-9]{4,})/
            ).map(\.output.1)
        found += named.map { PartOfIdentifier(.ending, ending: String($0)) }
        return found + rounded(in: text)
    }

    /// What a spreadsheet or a script left of long numbers: it keeps 15 to 17 digits, the last one rounded.
    static func rounded(in text: String) -> [PartOfIdentifier] {
        let long = text.matches(of: /([1-9][0-9]{11,15}[1-9])(0{2,})(?![0-9A-Za-z])/).filter {
            $0.output.1.count + $0.output.2.count > 16
        }.map { String($0.output.1) }
        let short = text.matches(of: scientific).map { String($0.output.1 + ($0.output.2 ?? "")) }
        return (long + short).filter { $0.count > 12 }.map {
            PartOfIdentifier(.beginning, beginning: String($0.dropLast()))
        }
    }

    /// `2.12947E+18`.
    private static var scientific: Regex<(Substring, Substring, Substring?)> {
        /([1-9])(?:[.,]([0-9]{1,16}))?[eE]\+[0-9]{2}(?![0-9])/
    }

    /// So little is left of a number that it says nothing.
    static func isRounded(_ text: String) -> Bool { text.contains(scientific) && rounded(in: text).isEmpty }

    /// The end of a bank card's, a bank account's or a phone's number. The bank's message about a payment has it.
    static var cards: Regex<Substring> {
        /(?i)(?:(?:^|[^月季年周])卡号?|(?:手机|电话)[^，。,;；单易]{0,10})的?尾号[^0-9，。,;；]{0,4}[0-9]{4}(?![0-9])|尾号[^0-9，。,;；]{0,4}[0-9]{4}的?(?:[^0-9，。,;；]{0,4}(?:银行|信用|储蓄|借记)卡|卡|账户)|(?:银行|信用|储蓄|借记)卡[^0-9，。,;；]{0,8}[0-9]{4}(?![0-9])|\b(?:card|visa|mastercard|amex)\b[^0-9,;]{0,20}[0-9]{4}(?![0-9])/
    }

    /// Whether it was given in the same way, and is not a part of the other one or the other way round.
    func isBeside(_ other: PartOfIdentifier) -> Bool {
        func holds(_ one: PartOfIdentifier, _ two: PartOfIdentifier) -> Bool {
            one.beginning.hasPrefix(two.beginning) && one.ending.hasSuffix(two.ending)
        }
        return kind == other.kind && !holds(self, other) && !holds(other, self)
    }

    /// `…4170`
    var text: String { beginning + "…" + ending }

    /// The signs between the ends, and how many are known.
    public var known: Int { beginning.count + ending.count }

    public func fits(_ id: String) -> Bool {
        id.count > known && id.lowercased().hasPrefix(beginning.lowercased())
            && id.lowercased().hasSuffix(ending.lowercased())
    }
}

/// What may have been meant by an identifier in which letters and digits were mistaken for each other, or that has
/// zeros before it. Each with what was mistaken.
func lookAlikes(of text: String) -> [(kind: PartOfIdentifier.Kind, text: String)] {
    guard (6...40).contains(text.utf8.count), text.utf8.allSatisfy({ $0 < 0x80 }) else { return [] }
    var found: [(PartOfIdentifier.Kind, String)] = []
    let zeros = text.prefix { $0 == "0" }
    if !zeros.isEmpty { found.append((.leadingZeros, String(text.dropFirst(zeros.count)))) }
    // Ids of digits and letters never have these three.
    let plain = String(text.map { "OoIiLl".contains($0) ? toDigit[$0]! : $0 })
    found += [plain, plain.uppercased()].map { (.lookAlike, $0) }
    let digits = String(text.map { toDigit[$0] ?? $0 })
    let letters = text.prefix(4).prefix { $0.isLetter }.count
    for head in 0...letters where letters > 0 || head == 0 {
        found.append((.lookAlike, text.prefix(head).uppercased() + digits.dropFirst(head)))
    }
    // In Apple's order ids both may stand anywhere.
    if text.first == "M" || text.first == "m" {
        let typed = Array(text.uppercased())
        let places = typed.indices.dropFirst().filter { likeness[typed[$0]] != nil }.prefix(6)
        for chosen in 1..<(1 << places.count) {
            var signs = typed
            for (bit, place) in places.enumerated() where chosen >> bit & 1 == 1 {
                signs[place] = likeness[typed[place]]!
            }
            found.append((.lookAlike, String(signs)))
        }
    }
    return found.filter { $0.1 != text && !$0.1.isEmpty }
}

private let toDigit: [Character: Character] = [
    "O": "0", "o": "0", "I": "1", "l": "1", "L": "1", "i": "1", "B": "8", "S": "5", "s": "5", "Z": "2", "z": "2",
]
private let likeness: [Character: Character] = [
    "O": "0", "0": "O", "I": "1", "1": "I", "L": "1", "B": "8", "8": "B", "S": "5", "5": "S", "Z": "2", "2": "Z",
]
