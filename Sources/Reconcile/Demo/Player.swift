internal import Domain

/// Somebody who plays and pays: one account and its token.
struct Player {
    var account: Identifier
    var token: Token
    var market: Market

    /// The player of that number, the same whenever asked for.
    init(number: Int, seed: UInt64, market: Market? = nil) {
        var chance = Chance(seed: seed &* 0x0100_0000_01B3 &+ UInt64(number))
        let home = Market.allCases[chance.index(weights: Market.shares)]
        self.market = market ?? home
        account = Identifier(Self.name(number, self.market, &chance))
        // Version 4, variant 1, as Foundation's UUID() makes them.
        let high = chance.next() & ~0xF000 | 0x4000
        let low = chance.next() & ~(3 << 62) | 2 << 62
        token = Token(high: high, low: low)
    }

    /// Half of China's players signed up with a name, the others with a phone number and got `u…`.
    private static func name(_ number: Int, _ market: Market, _ chance: inout Chance) -> String {
        let names: [String] =
            switch market {
            case .china: ["星河旅人", "小鱼", "夜归人", "u", "u", "u"]
            case .japan: ["さくら", "hoshi", "ren"]
            case .america: ["nova", "raccoon", "blue_jay"]
            case .germany: ["fuchs", "jonas", "müller"]
            case .kuwait: ["noor", "falcon", "salem"]
            }
        return names[chance.int(in: 0..<names.count)] + String(100_000 + number)
    }
}
