/// What all subjects together are short of and have too much at an instant, in minor units of one currency.
public struct Balance: Hashable, Sendable, Codable {
    /// Paid for and not given: owed to customers. Not negative.
    public var owed: Int64 = 0
    /// Given and not paid for: given free. Not negative.
    public var givenFree: Int64 = 0

    public var net: Int64 { owed &- givenFree }

    public static var zero: Self { Self() }

    public static func + (left: Self, right: Self) -> Self {
        Balance(owed: left.owed &+ right.owed, givenFree: left.givenFree &+ right.givenFree)
    }

    public static func += (left: inout Self, right: Self) { left = left + right }

    /// Adds goods that one customer lacks and another one has.
    public mutating func add(stray minor: Int64) {
        owed &+= max(0, minor)
        givenFree &+= max(0, minor)
    }

    /// Adds a subject's balance: above 0 where the customer paid for more than was given.
    public mutating func add(_ minor: Int64) {
        if minor > 0 { owed &+= minor } else { givenFree &-= minor }
    }
}

/// One line of the roll-forward of one night.
public struct NightMovement: Hashable, Sendable, Codable {
    public var date: BusinessDate
    public var run: RunID
    public var line: RollForwardLine
}
