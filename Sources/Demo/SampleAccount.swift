/// A customer's account: its id in the backend, the token that all its purchases carry, and the phone's app.
struct SampleAccount {
    var id: Identifier
    var token: Token
    var market: Market
    /// The version of the app on the account's phone.
    var version: Identifier

    /// The account with that number. The same seed and number always give the same account.
    init(number: Int, seed: UInt64, market: Market? = nil) {
        var random = SplitMix64(seed: seed &* 0x0100_0000_01B3 &+ UInt64(number))
        let drawn = Market.allCases[random.index(weights: Market.shares)]
        self.market = market ?? drawn
        id = Identifier(Self.name(number, in: self.market, &random))
        // One phone in 25 has the newest version.
        version = number % 25 == 0 ? Self.newestVersion : number % 3 == 0 ? "3.1.9" : "3.2.0"
        // Version 4, variant 1, like the result of Foundation's UUID().
        let high = random.next() & ~0xF000 | 0x4000
        let low = random.next() & ~(3 << 62) | 2 << 62
        token = Token(high: high, low: low)
    }

    /// It loses orders: see `Scenario.beginsInTheApp`.
    static let newestVersion: Identifier = "3.2.1"

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
