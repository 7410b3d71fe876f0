/// The everyday purchases among which the scenarios happen. Nearly all of them are right.
struct OrdinaryTraffic {
    /// The number of orders.
    var count: Int

    /// - Parameter checkpoint: called once in some thousand orders; what it throws ends the work.
    func happen(in world: inout SampleWorld, checkpoint: () throws -> Void) throws {
        for index in 0..<count {
            if index % 4096 == 0 { try checkpoint() }
            let moment = SampleCalendar.moment(ofOrder: index, of: count)
            order(at: moment, in: &world)
            if index % 30 == 7 { renewal(at: moment, in: &world) }
        }
    }

    private func order(at moment: Instant, in world: inout SampleWorld) {
        let product = SampleProduct.all[world.random.index(weights: SampleProduct.all.map(\.share))]
        let sale = world.sale(product, to: world.regularAccount(), at: moment)
        switch world.random.int(in: 0..<1000) {
        case ..<60: world.deliver(sale.order(.cancelled, knowsPayment: false))
        case ..<80: world.deliver(sale.order(.failed, knowsPayment: false))
        case ..<120: world.deliver(sale.openOrder)
        case ..<128: refunded(sale, in: &world)
        case ..<131: late(sale, in: &world)
        default: bought(sale, in: &world)
        }
    }

    /// An order that is open at midnight is in the exports of both days.
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

    /// Old versions of the app still use verifyReceipt, and Apple delivers some notifications twice.
    private func pay(_ sale: Sale, in world: inout SampleWorld) {
        let draw = world.random.int(in: 0..<1000)
        if draw < 25, sale.account.market == .china, sale.product.type == .consumable {
            let moment = sale.receipt.receivedAt
            world.feeds.write(sale.transaction.response(askedAt: moment), to: .responses, at: moment)
            return
        }
        world.deliver(sale.transaction)
        if draw >= 995 { world.deliver(sale.transaction) }
    }

    /// Apple refunds within two days, and the backend reverses the credit within minutes.
    private func refunded(_ sale: Sale, in world: inout SampleWorld) {
        let moment = sale.transaction.purchasedAt + .hours(Int64(world.random.int(in: 5..<40)))
        bought(sale, in: &world)
        world.deliver(sale.refunded(at: moment))
        world.deliver(world.reversal(of: sale.credit, at: moment + .minutes(2)))
    }

    /// The goods server was slow: hours pass between payment and credit.
    private func late(_ sale: Sale, in world: inout SampleWorld) {
        var sale = sale
        let delay = Milliseconds.minutes(Int64(world.random.int(in: 70..<500)))
        world.deliver(sale.order(.paid))
        sale.credit.creditedAt = sale.credit.creditedAt + delay
        sale.order.updatedAt = sale.credit.creditedAt
        world.deliver(sale)
    }

    /// A subscription renews for another month. A renewal has no order.
    private func renewal(at moment: Instant, in world: inout SampleWorld) {
        let account = world.regularAccount()
        var payment = world.transaction(.monthlyCard, of: account, at: moment)
        payment.original = world.newTransactionID()
        world.deliver(payment)
        var credit = Credit(id: world.newCreditID(), account: account.id, creditedAt: moment + .seconds(9))
        credit.transaction = payment.id
        credit.product = payment.product
        world.deliver(credit)
    }
}
