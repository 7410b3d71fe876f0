/// A purchase as a table of its date counts it. See docs/spec/why.md#tables.
public struct CountedPurchase: Hashable, Sendable {
    /// `Identifier.absent` in any member: the purchase has no such value.
    public var product = Identifier.absent
    public var productType = Identifier.absent
    public var storefront = Identifier.absent
    public var app = Identifier.absent
    public var cause = Identifier.absent
    /// 0 to 23, in the shop's zone. Nil if it is not known.
    public var hour: Int?
    /// With the app's version, where a receipt states it.
    public var labels = LabelSet.none
    public var fate: PurchaseFate
    /// Its worth; nil if no price is known.
    public var amount: Money?
    public var transactionEnd = IdentifierEnd.none
    public var orderEnd = IdentifierEnd.none

    /// Counts as no value.
    static let emptyText = Identifier("")
    static let hours = (0..<24).map { Identifier(String($0)) }
}

/// What the end of an id, which customers know, comes to. A search by the end of an id reads only the cases of purchases with
/// a fitting number.
public struct IdentifierEnd: Hashable, Sendable {
    /// See docs/spec/why.md#tables.
    let number: UInt8

    static let none = IdentifierEnd(number: 0)
    /// Fits every end.
    static let several = IdentifierEnd(number: 1)
    /// How many bytes of the end count.
    static let length = 4

    init(number: UInt8) { self.number = number }

    /// Nil for a text that is too short.
    init?(of text: String) {
        let bytes = text.utf8.suffix(Self.length)
        guard bytes.count == Self.length else { return nil }
        let areDigits = bytes.allSatisfy { (0x30...0x39).contains($0) }
        self.init(bytes.reduce(0) { $0 &* (areDigits ? 10 : 256) &+ UInt64($1 & (areDigits ? 15 : 255)) })
    }

    init(_ ids: some Collection<Identifier>) {
        guard let first = ids.first else {
            self = .none
            return
        }
        let end = first.numbered.map { IdentifierEnd($0.value % 10_000) } ?? IdentifierEnd(of: first.text)
        self = ids.dropFirst().allSatisfy { $0 == first } ? end ?? .several : .several
    }

    private init(_ value: UInt64) { number = UInt8(value % 254) + 2 }

    func fits(_ asked: IdentifierEnd) -> Bool { self == asked || self == .several }
}

/// What became of a purchase, or of an orphan receipt.
public struct PurchaseFate: Hashable, Sendable {
    /// How the lost-order rate counts it. Nil for an orphan receipt, because it is not a purchase.
    public var fulfilment: Fulfilment?
    public var isCreditedTwice = false
    /// The bucket of `DelayHistogram` in which the time from payment to goods lies; nil without goods.
    public var delay: Int?

    public init(_ fulfilment: Fulfilment?, isCreditedTwice: Bool = false, delay: Int? = nil) {
        precondition(delay.map { 0..<DelayHistogram.size ~= $0 } ?? true, "no such bucket of delays")
        self.fulfilment = fulfilment
        self.isCreditedTwice = isCreditedTwice
        self.delay = delay
    }

    /// The fulfilment in three bits, the credits in one, then the bucket plus one.
    var packed: UInt64 {
        UInt64(fulfilment?.rawValue ?? 0) | (isCreditedTwice ? 8 : 0) | UInt64(delay.map { $0 + 1 } ?? 0) << 4
    }

    /// Above all packed fates.
    static let packedSize = (DelayHistogram.size + 1) << 4

    /// Nil for bits that stand for nothing.
    init?(packed: UInt64) {
        let fulfilment = Fulfilment(rawValue: UInt8(packed & 7))
        guard packed >> 4 <= DelayHistogram.size, fulfilment != nil || packed & 7 == 0 else { return nil }
        self.init(fulfilment, isCreditedTwice: packed & 8 != 0, delay: packed >> 4 == 0 ? nil : Int(packed >> 4) - 1)
    }
}

/// What an explanation is sought for.
public enum Trouble: Hashable, Sendable {
    /// Goods did not come by themselves within 24 hours. See docs/spec/rules.md#lost-orders.
    case lost
    case creditedTwice
    /// A receipt without a purchase. They are compared with all purchases.
    case orphanReceipt
    /// The goods came later than this bucket of `DelayHistogram`. They are compared with purchases that have their goods.
    case late(than: Int)

    /// Whether something of this fate is in trouble; nil if it is not compared at all.
    public func hits(_ fate: PurchaseFate) -> Bool? {
        switch self {
        case .lost: fate.fulfilment?.isLost
        case .creditedTwice: fate.fulfilment == nil ? nil : fate.isCreditedTwice
        case .orphanReceipt: fate.fulfilment == nil
        case .late(let usual): fate.delay.map { $0 > usual }
        }
    }
}
