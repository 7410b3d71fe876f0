internal import Console
internal import Domain
internal import Engine
internal import Foundation
internal import Intake
internal import Ledger
internal import Settings
internal import Wire

/// What the cases of a night on a cluster are judged by, and what was taken: `basis` writes it when all files were taken;
/// `owners`, `judge` and `publish` read it.
struct ClusterBasis: Codable {
    struct Product: Codable {
        var id: String
        var type: UInt8?
        var name: String?
        var price: Money?
        var validFrom: BusinessDate?
        var validTo: BusinessDate?
    }
    struct Coverage: Codable {
        var firstDate: BusinessDate?
        var gaps: [FeedKind: [BusinessDate]]
        var creditsUnseen: [BusinessDate]
    }
    struct NamedFile: Codable {
        var name: String
        var digest: String
    }
    /// An order by whose number the desk gave the goods of a purchase.
    struct DeskOrder: Codable, Equatable {
        var order: String
        var transaction: String
    }

    var plan: ClusterPlan
    var taken: [ClusterTaken]
    /// The deliveries that count: their evidence belongs to the night.
    var deliveries: [Int32]
    /// The lines of all evidence to be judged, by delivery.
    var evidence: [ClusterSum]
    /// The exceptions that the night follows.
    var entries: WireSum
    var products: [Product]
    var tokens: String
    var crowded: [String]
    var deskOrders: [DeskOrder]
    var horizon: Instant
    var coverage: Coverage
    /// All files of the ledger and of tonight, by delivery number.
    var files: [String: NamedFile]
    /// Pairs of keys that belong together although no evidence connects them.
    var ties: [[Int64]]
}

extension ClusterBasis {
    /// - Parameters:
    ///   - delivered: tonight's files, without rows apart from those of the small feeds.
    ///   - taken: what was taken, by delivery number.
    ///   - entries: the lines of the exceptions that the night follows.
    init(
        _ plan: ClusterPlan, _ delivered: Delivered, _ taken: [Int32: ClusterTaken], entries: WireSum,
        _ settings: NightSettings, _ head: HistoryHead
    ) {
        let night = NightPlan(delivered, at: plan.moment, settings, head)
        let numbers = delivered.deliveries.map(\.number.rawValue)
        var facts = night.basis.policy.facts
        for number in numbers {
            _ = facts.note(hasOrders: taken[number]?.hasOrders ?? false, hasTokens: taken[number]?.hasTokens ?? false)
        }
        self.plan = plan
        self.taken = taken.values.sorted { $0.number < $1.number }
        deliveries = numbers
        evidence = plan.folders.flatMap(\.deliveries) + numbers.compactMap { taken[$0]?.evidence }
        self.entries = entries
        products = night.basis.products.map(Product.init)
        tokens = facts.tokens.rawValue
        crowded = facts.crowdedTokens.sorted().map(\.text)
        deskOrders = []
        horizon = night.basis.horizon.instant
        let gaps = night.basis.horizon.coverage
        coverage = Coverage(firstDate: gaps.firstDate, gaps: gaps.gaps, creditsUnseen: gaps.creditsUnseen)
        files = Dictionary(
            uniqueKeysWithValues: night.files.map {
                ("\($0.key)", NamedFile(name: $0.value, digest: night.digests[$0.key] ?? ""))
            })
        ties = []
    }

    /// The facts about the whole history that parts are judged by.
    var facts: LedgerFacts {
        var facts = LedgerFacts()
        facts.tokens = TokenKnowledge(rawValue: tokens) ?? .noOrders
        facts.crowdedTokens = Set(crowded.compactMap { Token($0) })
        for pair in deskOrders { facts.deskOrders[Identifier(pair.order)] = Identifier(pair.transaction) }
        return facts
    }

    /// The policy that parts are judged by.
    var policy: Policy {
        get throws(Failure) {
            var policy = try plan.settings.policy
            policy.products = ProductList(products.map(\.product))
            policy.facts = facts
            return policy
        }
    }

    private var byNumber: [DeliveryID: NamedFile] {
        Dictionary(uniqueKeysWithValues: files.compactMap { text, file in Int32(text).map { (DeliveryID($0), file) } })
    }

    /// What judges the parts.
    var judge: PartJudge {
        get throws(Failure) {
            let gaps = Domain.Coverage(
                firstDate: coverage.firstDate, gaps: coverage.gaps, creditsUnseen: coverage.creditsUnseen)
            return PartJudge(
                policy: try policy, horizon: Horizon(instant: horizon, businessDate: plan.date, coverage: gaps),
                files: byNumber.mapValues(\.name),
                digests: byNumber.mapValues(\.digest),
                firstDelivery: DeliveryID(plan.firstDelivery))
        }
    }
}

extension ClusterBasis.Product {
    fileprivate init(_ product: Domain.Product) {
        self.init(
            id: product.id.text, type: product.type?.rawValue, name: product.name, price: product.price,
            validFrom: product.validFrom, validTo: product.validTo)
    }

    fileprivate var product: Domain.Product {
        var product = Domain.Product(id: Identifier(id))
        product.type = type.flatMap { ProductType(rawValue: $0) }
        (product.name, product.price) = (name, price)
        (product.validFrom, product.validTo) = (validFrom, validTo)
        return product
    }
}
