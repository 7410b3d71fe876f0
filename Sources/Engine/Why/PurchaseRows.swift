/// The purchases of one date and some cases while they are counted.
///
/// Many purchases differ only in their fate, their hour and their ids. What else they have is kept once, as a group, so that a
/// purchase takes 16 bytes and little time, and `DateTable` looks at each group instead of each purchase.
struct PurchaseRows: Sendable {
    struct Row: Sendable {
        var caseID: CaseID
        var group: UInt32
        private var fateAndHour: UInt16
        var transactionEnd: IdentifierEnd
        var orderEnd: IdentifierEnd

        init(_ caseID: CaseID, _ purchase: CountedPurchase, group: UInt32) {
            self.caseID = caseID
            self.group = group
            fateAndHour = UInt16(purchase.fate.packed) << 5 | UInt16(purchase.hour ?? PurchaseRows.noHour)
            (transactionEnd, orderEnd) = (purchase.transactionEnd, purchase.orderEnd)
        }

        /// Packed.
        var fate: UInt64 { UInt64(fateAndHour >> 5) }
        /// `noHour` if it is not known.
        var hour: Int { Int(fateAndHour & 31) }
    }

    /// What purchases have in common, but for fate, hour and ids.
    struct Group: Mixed {
        var product, productType, storefront, currency, app, cause: Identifier
        var minor: Int64
        var labels: LabelSet

        var mixed: UInt64 {
            var hash: UInt64 = 0
            func mix(_ bits: UInt64) {
                hash = (hash ^ bits) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 32
            }
            mix(product.bits)
            mix(productType.bits)
            mix(storefront.bits)
            mix(currency.bits)
            mix(app.bits)
            mix(cause.bits)
            mix(UInt64(bitPattern: minor))
            mix(labels.bits)
            return hash
        }
    }

    static let noHour = 31

    private(set) var rows: [Row] = []
    private var known = NumberedValues<Group>()
    var groups: [Group] { known.values }
    /// What the few currencies are called.
    private var currencies: [(currency: Currency, name: Identifier)] = []

    mutating func add(_ purchase: CountedPurchase, of caseID: CaseID) {
        let amount = purchase.amount ?? .absent
        let group = Group(
            product: purchase.product.named, productType: purchase.productType.named,
            storefront: purchase.storefront.named, currency: name(of: amount.currency), app: purchase.app.named,
            cause: purchase.cause.named, minor: amount.minor,
            labels: purchase.labels)
        rows.append(Row(caseID, purchase, group: UInt32(known.number(of: group))))
    }

    private mutating func name(of currency: Currency) -> Identifier {
        if let known = currencies.first(where: { $0.currency == currency }) { return known.name }
        currencies.append((currency, currency == .absent ? .absent : Identifier(currency.text)))
        return currencies[currencies.count - 1].name
    }

    /// How long the customers waited.
    var delays: DelayHistogram {
        DelayHistogram(buckets: rows.lazy.compactMap { PurchaseFate(packed: $0.fate)?.delay })
    }
}

extension Identifier {
    /// No value and an empty text are the same.
    fileprivate var named: Identifier { self == CountedPurchase.emptyText ? .absent : self }
}
