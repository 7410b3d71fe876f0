/// What the cases of a night on a cluster are judged by, and what was taken: `basis` writes it when all files were taken;
/// `owners`, `judge` and `publish` read it.
struct ClusterBasis: Codable {
    var plan: ClusterPlan
    var taken: [ClusterTaken]
    /// The deliveries that count: their evidence belongs to the night.
    var deliveries: [Int32]
    /// The lines of all evidence to be judged, by delivery.
    var evidence: [ClusterSum]
    /// The exceptions that the night follows.
    var entries: WireSum
    var products: [Product]
    var tokens: TokenKnowledge
    var goods: TimeSpans
    var orders: TimeSpans
    var crowded: [Token]
    /// Orders by whose number the desk gave the goods of a purchase, each with the purchase's transaction.
    var deskOrders: [[Identifier]] = []
    /// The bundle ids that were configured when a delivery was read, where they were not today's.
    var formerBundles: [String: [Identifier]]
    var horizon: Horizon
    /// All files of the ledger and of tonight, by delivery number.
    var files: [String: NamedFile]
    /// Pairs of keys that belong together although no evidence connects them.
    var ties: [[Int64]] = []
}

extension ClusterBasis {
    /// - Parameters:
    ///   - delivered: tonight's files, without rows apart from those of the small feeds.
    ///   - taken: what was taken, by delivery number.
    ///   - entries: the lines of the exceptions that the night follows.
    init(
        of plan: ClusterPlan, delivered: Delivered, taken: [Int32: ClusterTaken], entries: WireSum,
        settings: NightSettings, head: HistoryHead
    ) {
        let night = NightPlan(delivered, at: plan.moment, by: settings, after: head)
        let counted = delivered.deliveries.compactMap { taken[$0.number.rawValue] }
        var facts = night.basis.policy.facts
        for file in counted {
            _ = facts.note(hasOrders: file.hasOrders, hasTokens: file.hasTokens)
            facts.goods.note(file.goods)
            facts.orders.note(file.orders)
        }
        self.plan = plan
        self.taken = taken.values.ordered { $0.number < $1.number }
        deliveries = counted.map(\.number)
        evidence = plan.folders.flatMap(\.deliveries) + counted.map(\.evidence)
        self.entries = entries
        products = night.basis.products
        tokens = facts.tokens
        (goods, orders) = (facts.goods, facts.orders)
        crowded = facts.crowdedTokens.ordered()
        let former = night.basis.policy.formerBundles.map { ("\($0.key)", $0.value.ordered()) }
        formerBundles = Dictionary(uniqueKeysWithValues: former)
        horizon = night.basis.horizon
        files = Dictionary(uniqueKeysWithValues: night.files.map { ("\($0.key)", $0.value) })
    }

    /// The facts about the whole history that parts are judged by.
    var facts: LedgerFacts {
        var facts = LedgerFacts()
        facts.tokens = tokens
        (facts.goods, facts.orders) = (goods, orders)
        facts.crowdedTokens = Set(crowded)
        for pair in deskOrders { facts.deskOrders[pair[0]] = pair[1] }
        return facts
    }

    var policy: Policy {
        get throws(Failure) {
            var policy = try plan.settings.policy
            policy.products = ProductList(products)
            policy.facts = facts
            for (number, ids) in formerBundles {
                if let number = Int32(number) { policy.formerBundles[DeliveryID(number)] = Set(ids) }
            }
            return policy
        }
    }

    var judge: PartJudge {
        get throws(Failure) {
            let files = files.compactMap { text, file in Int32(text).map { (DeliveryID($0), file) } }
            return PartJudge(
                policy: try policy, horizon: horizon, files: Dictionary(uniqueKeysWithValues: files),
                firstDelivery: plan.firstDelivery)
        }
    }
}
