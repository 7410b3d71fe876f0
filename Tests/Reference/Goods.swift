internal import Domain

/// The worth of goods, row by row. See docs/spec/rules.md#worth, READINGS 43 and 44.
extension Subject {
    /// Goods given less goods taken back. Nil if unknown.
    func goods(_ amount: Money?, _ policy: Policy) -> Money? {
        guard let amount else { return nil }
        let rows = rows(policy)
        guard let record = purchase?.record, record.isProven else {
            let worths = rows.map { row in worth(of: row, policy).map { $0.times(row.sign, over: 1) } }
            return total(worths, Money(minor: 0, currency: amount.currency))
        }
        // All pieces of the product bought are one share of its price; goods of another product are worth their own.
        let pieces = rows.filter { $0.product == record.product }.map { $0.sign * $0.pieces }.reduce(0, +)
        let others = rows.filter { $0.product != record.product }.map { row in
            worth(of: row, instead: record, amount, policy).map { $0.times(row.sign, over: 1) }
        }
        return total(others, amount.times(pieces, over: Int64(record.quantity)))
    }

    /// Goods less what the customer is to have.
    func excess(_ policy: Policy) -> Money? {
        guard let purchase, let price = price(policy), let goods = goods(price, policy) else { return nil }
        if purchase.revocation == nil { return goods - price }
        guard let partial = purchase.partial else { return goods }
        guard let kept = partial.expected else { return goods - price }
        return goods - price.times(kept, over: Int64(purchase.record.quantity))
    }

    private struct Row {
        var product: Identifier?
        var pieces: Int64
        var sign: Int64
        var order: Order?
        var at: Instant
    }

    /// What each row stands for. What it does not say is its order's; of a reversal, first that of the credit that it
    /// cancels.
    private func rows(_ policy: Policy) -> [Row] {
        let given = credits.map { row($0, sign: 1, cancelled: nil, policy) }
        var free = Array(credits.indices)
        let taken = reversals.map { reversal in
            let mine = free.filter { credits[$0].credit.account == reversal.credit.account }
            let sameOrder = mine.filter {
                reversal.credit.order != nil && credits[$0].credit.order == reversal.credit.order
            }
            func isSame(_ index: Int) -> Bool {
                let (left, right) = (credits[index].credit.product, reversal.credit.product)
                return left == nil || right == nil || left == right
            }
            let match = sameOrder.last(where: isSame) ?? sameOrder.last ?? mine.last(where: isSame) ?? mine.last
            free.removeAll { $0 == match }
            return row(reversal, sign: -1, cancelled: match.map { given[$0] }, policy)
        }
        return given + taken
    }

    private func row(_ entry: Entry, sign: Int64, cancelled: Row?, _ policy: Policy) -> Row {
        let record = purchase.flatMap { $0.record.isProven ? $0.record : nil }
        let own = (orders + otherOrders).first { $0.id == entry.credit.order }
        let order = (record == nil ? own : nil) ?? decidingOrder
        let isPartial = purchase?.partial?.expected != nil
        let left = credits.filter { !$0.isProblemFree }
        let isOneOfMany =
            record != nil && !entry.isProblemFree && sign > 0 && isExactlyBought(left)
        let counts = policy.compare.contains(.quantity) || isPartial || isOneOfMany
        var pieces = counts ? entry.credit.quantity.map(Int64.init) : nil
        if pieces == nil, isPartial || !counts { pieces = record.map { Int64($0.quantity) } }
        let fallback = (order?.quantity ?? record?.quantity).map(Int64.init) ?? 1
        var product: Identifier?
        if policy.compare.contains(.product) {
            product = entry.credit.product ?? cancelled?.product ?? order?.product
        }
        return Row(
            product: product ?? record?.product ?? order?.product ?? entry.credit.product ?? self.product,
            pieces: pieces ?? cancelled?.pieces ?? fallback, sign: sign, order: order, at: entry.credit.creditedAt)
    }

    /// Without a purchase.
    private func worth(of row: Row, _ policy: Policy) -> Money? {
        let compared = policy.compare
        if let order = row.order, let amount = order.amount,
            row.product == order.product || !compared.contains(.product)
        {
            return compared.contains(.quantity) ? amount.times(row.pieces, over: Int64(order.quantity)) : amount
        }
        guard let product = row.product else { return nil }
        let prices = listPrices(of: product, quantity: row.pieces, at: row.at, policy)
        if let currency = row.order?.amount?.currency, let price = prices[currency] { return price }
        return prices.count == 1 ? prices.values.first : nil
    }

    /// Of another product than the one bought.
    private func worth(of row: Row, instead record: Transaction, _ price: Money, _ policy: Policy) -> Money? {
        guard let product = row.product else { return nil }
        let given = listPrices(of: product, quantity: row.pieces, at: record.purchasedAt, policy)
        if let listed = given[price.currency] { return listed }
        let bought = listPrices(of: record.product, quantity: Int64(record.quantity), at: record.purchasedAt, policy)
        let common = given.keys.filter { (bought[$0]?.minor ?? 0) > 0 }.min()
        return common.map { price.times(given[$0]!.minor, over: bought[$0]!.minor) }
    }

    private func total(_ amounts: [Money?], _ start: Money) -> Money? {
        amounts.reduce(start) { (sum: Money?, amount) in
            guard let sum, let amount, amount.currency == sum.currency else { return nil }
            return Money(minor: sum.minor + amount.minor, currency: sum.currency)
        }
    }
}

extension Evidence {
    /// "An order names the account exactly as written, or an accepted receipt does of a payment that has no token and no order or
    /// credit of another account, was paid in the environment, and is neither refunded nor shared with the family."
    func knows(_ account: Identifier, _ policy: Policy) -> Bool {
        if orders.contains(where: { $0.account == account }) { return true }
        return receipts.contains { receipt in
            guard receipt.account == account, receipt.vouchesForItsClaim else { return false }
            let payments = transactions.filter { $0.id == receipt.transaction }
            return !payments.isEmpty
                && payments.allSatisfy {
                    $0.token == nil && $0.environment == policy.environment && $0.revocation == nil
                        && $0.ownership != .familyShared
                }
                && !orders.contains { $0.transaction == receipt.transaction }
                && !credits.contains { $0.transaction == receipt.transaction && $0.account != account }
        }
    }
}

/// What a person meant who wrote letters or signs around an id, or inside it: docs/spec/rules.md#wrapped-ids.
extension String {
    /// "Six digits, or five letters and digits with one of each."
    var isIdentifying: Bool {
        let (digits, letters) = (count { ("0"..."9").contains($0) }, count { ("a"..."z").contains($0) })
        return digits >= 6 || digits > 0 && letters > 0 && digits + letters >= 5
    }

    private func parts(_ isPart: (Character) -> Bool) -> [String] { split { !isPart($0) }.map(String.init) }

    private static func isPart(_ sign: Character) -> Bool { ("0"..."9").contains(sign) || ("a"..."z").contains(sign) }

    /// "The only number in it, of six digits or more."
    var onlyNumber: String? {
        let numbers = parts { ("0"..."9").contains($0) }
        return numbers.count == 1 && numbers[0].count >= 6 ? String(numbers[0].drop { $0 == "0" }) : nil
    }

    /// Its letters and digits.
    var joinedParts: String { String(parts(Self.isPart).joined().drop { $0 == "0" }) }

    /// From its first letter or digit to the last one.
    private var inside: String {
        guard let first = firstIndex(where: Self.isPart) else { return "" }
        return String(self[first...lastIndex(where: Self.isPart)!])
    }

    /// "Each word, number, and part of letters and digits; numbers with blanks or hyphens between; all letters and digits."
    var meantAccounts: Set<String> {
        if allSatisfy({ ("0"..."9").contains($0) }) { return [self] }
        var found = parts(Self.isPart) + [inside, joinedParts]
        let words = parts { !$0.isWhitespace && !",;:|\"'{}[]\\^~#!&=<>()/?+*@$%`".contains($0) }
        found += words.map(\.inside) + words.map(\.joinedParts)
        for run in parts({ ("0"..."9").contains($0) || $0.isWhitespace || "-–—‐‑_.·".contains($0) }) {
            let numbers = run.parts { ("0"..."9").contains($0) }
            for first in numbers.indices {
                found += (1...6).map { numbers.dropFirst(first).prefix($0).joined() }
            }
        }
        return Set(found.filter(\.isIdentifying).map { String($0.drop { $0 == "0" }) }).union([self])
    }

    /// "Its longest number, its longest part of letters and digits, the rest without signs at both ends; all letters and digits."
    var meantOrders: Set<String> {
        let numbers = parts { ("0"..."9").contains($0) }
        let longest = [numbers, parts(Self.isPart)].compactMap { $0.max { $0.count < $1.count } }
        let found = (longest + [inside, joinedParts]).filter { $0.count { ("0"..."9").contains($0) } >= 6 }
        return Set(found.map { String($0.drop { $0 == "0" }) }).union([self])
    }
}
