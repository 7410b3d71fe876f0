internal import Domain
internal import Parallel

/// What happens all day and is mostly right.
struct OrdinaryTraffic {
    /// How many orders there are.
    var count: Int

    /// - Throws: `Failure` once a signal has asked for the end.
    func happen(in world: inout SampleWorld) throws {
        for index in 0..<count {
            if index % 4096 == 0 { try Interruption.process.check() }
            let moment = SampleCalendar.moment(ofOrder: index, of: count)
            order(at: moment, in: &world)
            if index % 30 == 7 { renewal(at: moment, in: &world) }
        }
    }

    private func order(at moment: Instant, in world: inout SampleWorld) {
        let goods = Goods.all[world.chance.index(weights: Goods.all.map(\.share))]
        let sale = world.sale(goods, to: world.regular(), at: moment)
        switch world.chance.int(in: 0..<1000) {
        case ..<60: world.deliver(sale.order(.cancelled, knowsPayment: false))
        case ..<80: world.deliver(sale.order(.failed, knowsPayment: false))
        case ..<120: world.deliver(sale.openOrder)
        case ..<128: refunded(sale, in: &world)
        case ..<131: late(sale, in: &world)
        default: bought(sale, in: &world)
        }
    }

    /// An order that is open at midnight is in both days' exports.
    private func bought(_ sale: Sale, in world: inout SampleWorld) {
        let closedAt = sale.order.updatedAt ?? sale.order.createdAt
        if SampleCalendar.delivery(of: sale.order.createdAt) != SampleCalendar.delivery(of: closedAt) {
            world.deliver(sale.openOrder)
        }
        world.deliver(sale.order)
        world.deliver(sale.receipt)
        world.deliver(sale.credit)
        pay(sale, in: &world)
    }

    /// Old versions of the app still go through verifyReceipt, and Apple delivers some notifications twice.
    private func pay(_ sale: Sale, in world: inout SampleWorld) {
        let chance = world.chance.int(in: 0..<1000)
        if chance < 25, sale.player.market == .china, sale.goods.type == .consumable {
            world.feeds.write(responseListing: sale.transaction, askedAt: sale.receipt.receivedAt)
            return
        }
        world.deliver(sale.transaction)
        if chance >= 995 { world.deliver(sale.transaction) }
    }

    /// Money back a day later, goods back within minutes.
    private func refunded(_ sale: Sale, in world: inout SampleWorld) {
        let moment = sale.transaction.purchasedAt + .hours(Int64(world.chance.int(in: 5..<40)))
        bought(sale, in: &world)
        world.deliver(sale.refunded(at: moment))
        world.deliver(world.reversal(of: sale.credit, at: moment + .minutes(2)))
    }

    /// The goods server was slow: hours between payment and goods.
    private func late(_ sale: Sale, in world: inout SampleWorld) {
        var sale = sale
        let delay = Milliseconds.minutes(Int64(world.chance.int(in: 70..<500)))
        world.deliver(sale.order(.paid))
        sale.credit.creditedAt = sale.credit.creditedAt + delay
        sale.order.updatedAt = sale.credit.creditedAt
        world.deliver(sale)
    }

    /// A subscription goes on for another month: no order, and needs none.
    private func renewal(at moment: Instant, in world: inout SampleWorld) {
        let player = world.regular()
        var payment = world.transaction(.monthlyCard, of: player, at: moment)
        payment.original = world.newTransactionID()
        world.deliver(payment)
        var credit = Credit(id: world.newCreditID(), account: player.account, creditedAt: moment + .seconds(9))
        credit.transaction = payment.id
        credit.product = payment.product
        world.deliver(credit)
    }
}
