/// What is marked because another column fits better.
extension ColumnSearch {
    /// The customers' ids, or those of the orders, may be the tokens, too.
    mutating func findToken() {
        guard source.kind == .orders, source.choices["app_account_token"] == nil else { return }
        for profile in source.profiles where profile.isUUID {
            let known = profile.counts.keys.count { knowledge.tokens.contains($0.lowercased()) }
            if known == 0 { continue }
            let why = "\(known) of \(profile.counts.count) are in Apple's records"
            source.choices["app_account_token"] = Choice(column: profile.name, why: why)
            return
        }
    }

    /// Asks for Apple's ids, where none of the column that has their name is in Apple's records, or another one has as many digits
    /// and never the same.
    mutating func doubtTransaction() {
        guard source.kind == .orders, let own = source.profile("transaction_id"),
            source.choices["transaction_id"]!.isSure, !own.counts.keys.contains(where: { knowledge.bought[$0] != nil })
        else { return }
        let others = source.free.filter { $0.isAppleID && !$0.counts.keys.contains { own.counts[$0] != nil } }
        if others.isEmpty, knowledge.bought.isEmpty { return }
        let names = (others + [own]).map(\.name.json5).joined(separator: " or ")
        let why = names + ": none of \(own.name.json5) is in a record of Apple's. Which has the id that Apple gave?"
        let best = others.first(where: hasAppleIDs) ?? own
        source.choices["transaction_id"] = Choice(column: best.name, isSure: false, why: why)
    }

    /// Asks for the column of the account, where rows of another file have that of another column with the same orders, as
    /// where one customer buys for another.
    mutating func doubtAccount() {
        guard source.kind == .orders, let own = source.profile("account_id"), let orders = source.profile("order_id")
        else { return }
        let isAccount = { (profile: Profile) in Names.all.level(of: profile.title, as: "account_id") == 3 }
        // Where no other file has a column of that name, any with ids that repeat in the orders.
        let isNamed = references.contains { $0.all.contains(where: isAccount) }
        let free = source.free.filter { isNamed || !$0.isUnique }
        for reference in references {
            let owners = reference.all.filter { profile in
                isNamed
                    ? isAccount(profile)
                    : !profile.isWords && TimeShape(profile) == nil && !hasAppleIDs(profile)
                        && Names.all.level(of: profile.title, as: "device_id") == 0
            }
            let named = (orders: reference.orders, all: owners)
            let (same, all) = agreement(own, orders, named)
            let others = free.map { (name: $0.name, same: agreement($0, orders, named).same) }
            guard same * 20 < all * 19, let best = others.max(by: { $0.same < $1.same }), best.same * 20 >= all * 19,
                best.same - same > 2
            else { continue }
            let why =
                "\(best.name.json5) or \(own.name.json5): another file has them with the same order in \(best.same) and "
                + "\(same) of \(all) rows. The account is the one that gets the goods"
            source.choices["account_id"] = Choice(column: best.name, isSure: false, why: why)
            return
        }
    }

    /// Asks for the id of the first purchase, where orders are two days older than the renewal that they name, and no order
    /// names the first purchase: a backend may write the latest id into the order's row.
    mutating func doubtPayment() {
        guard source.kind == .orders, let own = source.profile("transaction_id"),
            let times = source.profile("created_at"), let shape = TimeShape(times)
        else { return }
        let format = shape.patterns.first.flatMap { TimeFormat($0) }
        let late = own.values.indices.compactMap { row -> (row: Int, first: String)? in
            guard let bought = own.values[row].flatMap({ knowledge.bought[$0] }), let first = bought.original?.text,
                first != bought.id.text, own.counts[first] == nil,
                let time = times.values[row].flatMap({ TimeShape.instant($0, format, zone: .utc) }),
                bought.purchasedAt.milliseconds - time.milliseconds > Milliseconds.days(2).count
            else { return nil }
            return (row, first)
        }
        if late.count < 2 { return }
        let other = source.profiles.first { profile in late.allSatisfy { profile.values[$0.row] == $0.first } }
        let why =
            "\(late.count) of \(own.present.count) \(own.name.json5) are renewals, days after the order, and no order names their "
            + "first purchase: the latest id in place of the order's own?"
            + (other == nil ? " Export the first one (first-night.md, Files)" : "")
        source.choices["transaction_id"] = Choice(column: (other ?? own).name, isSure: false, why: why)
        findPurchases()
    }

    /// Asks for the column with Apple's product ids, where no row names the product that Apple sold.
    mutating func doubtProduct() {
        guard source.kind == .orders || source.kind == .credits, let own = source.profile("product_id") else { return }
        let pairs = own.values.indices.compactMap { row in
            own.values[row].flatMap { product in bought(row).map { (product, $0.product.text) } }
        }
        guard let first = pairs.first, pairs.count > 4, !pairs.contains(where: { $0.0 == $0.1 }) else { return }
        let why =
            "0 of \(pairs.count) are the product of Apple's record of the purchase (\(first.0) is \(first.1)): a query joins "
            + "the table that has both (first-night.md, Files)"
        source.choices["product_id"] = Choice(column: own.name, isSure: false, why: why)
    }

    /// Asks which time is the order's, where another one is closer to Apple's than `created_at`: that may be the time of a
    /// migration or an export, and orders from before it would be out of scope.
    mutating func doubtCreation() {
        doubtDelivery()
        guard source.kind == .orders, let own = source.profile("created_at") else { return }
        let others = source.free.filter {
            Names.all.level(of: $0.title, as: "updated_at") == 0 && !Names.all.isOneOf(Names.all.deleted, $0.title)
        }
        let (near, best) = (nearness(own).near, others.map { ($0, nearness($0)) }.max { $0.1.near < $1.1.near })
        guard let (other, fit) = best, (fit.near - near) * 20 > fit.pairs, fit.near - near > 2 else { return }
        let empty = other.values.count - other.present.count
        let why =
            "\(other.name.json5) or \(own.name.json5): \(fit.near) and \(near) of \(fit.pairs) are within 15 min of Apple's. "
            + "The instant of a migration or an export is not the order's"
            + (empty > 0 ? "; \(counted(empty, "row has", "rows have")) none: COALESCE in the query" : "")
        source.choices["created_at"] = Choice(column: other.name, isSure: false, why: why)
    }

    /// Asks for the time of a credit, where some rows lack it and have another one: these may have given nothing.
    private mutating func doubtDelivery() {
        guard source.kind == .credits, let chosen = source.profile("credited_at") else { return }
        let rows = source.rows
        let isWhole = { (profile: Profile) in profile.present.count == rows }
        let others = source.free.filter { TimeShape($0) != nil }
        guard let own = isWhole(chosen) ? others.first(where: { isEnd($0, after: chosen) }) : chosen,
            let other = isWhole(chosen) ? chosen : others.first(where: isWhole)
        else { return }
        let empty = rows - own.present.count
        let why =
            "\(empty) of \(rows) rows have none. If these gave no goods, add whereNot: { \(own.name.json5): \"\" }; "
            + "if they did, take \(other.name.json5)"
        source.choices["credited_at"] = Choice(column: own.name, isSure: false, why: why)
    }

    /// Whether times that some rows lack may be those at which jobs ended: they are never before the others, and near Apple's.
    private func isEnd(_ own: Profile, after first: Profile) -> Bool {
        let times = [own, first].map { profile -> [Instant?] in
            let format = TimeShape(profile)?.patterns.first.flatMap { TimeFormat($0) }
            return profile.values.map { $0.flatMap { TimeShape.instant($0, format, zone: .utc) } }
        }
        let fit = nearness(own)
        return own.present.count < source.rows && own.present.count * 2 > source.rows && fit.near > 4
            && fit.near * 10 >= fit.pairs * 8 && Names.all.level(of: own.title, as: "updated_at") == 0
            && !Names.all.isOneOf(Names.all.deleted, own.title)
            && zip(times[0], times[1]).allSatisfy { end, start in end.flatMap { end in start.map { $0 <= end } } ?? true
            }
    }
}
