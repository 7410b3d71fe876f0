/// A customer's account: its id in the backend and the token that all its purchases carry.
struct SampleAccount {
    var id: Identifier
    var token: Token
    var market: Market

    /// The account with that number. The same seed and number always give the same account.
    init(number: Int, seed: UInt64, market: Market? = nil) {
        var random = SplitMix64(seed: seed &* 0x0100_0000_01B3 &+ UInt64(number))
        let drawn = Market.allCases[random.index(weights: Market.shares)]
        self.market = market ?? drawn
        id = Identifier(Self.name(number, in: self.market, &random))
        // Version 4, variant 1, like the result of Foundation's UUID().
        let high = random.next() & ~0xF000 | 0x4000
        let low = random.next() & ~(3 << 62) | 2 << 62
        token = Token(high: high, low: low)
    }

    /// Half of China's customers chose a name. The others signed up with a phone number and were given `u…`.
    private static func name(_ number: Int, in market: Market, _ random: inout SplitMix64) -> String {
        let names: [String] =
            switch market {
            case .china: ["星河旅人", "小鱼", "夜归人", "u", "u", "u"]
            case .japan: ["さくら", "hoshi", "ren"]
            case .america: ["nova", "raccoon", "blue_jay"]
            case .germany: ["fuchs", "jonas", "müller"]
            case .kuwait: ["noor", "falcon", "salem"]
            }
        return names[random.int(in: 0..<names.count)] + String(100_000 + number)
    }
}
