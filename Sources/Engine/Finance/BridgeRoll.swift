extension Transit {
    /// What is known of the line beside its rows.
    struct Terms {
        /// What the first period begins with; nil if its own rows tell.
        var opening: [Cohort]?
        /// Units without a day may be taken from `reserve`.
        var isDelayVarying = false
        /// Units without a day are taken from the oldest sales.
        var isOldestFirst = false
        /// The delay is known, so no sale of the last days is in transit instead of an estimate.
        var isDelayKnown = false
    }
}

/// How the balance of one line is rolled forward over all periods. See docs/spec/app-store.md#steady-delay.
extension BridgeMaker {
    /// A key's balance, rolled forward over all periods.
    struct Rolled {
        /// The ledger's sales, by Apple's days.
        var own: LedgerDays
        var terms = Transit.Terms()
        var isDelayFound = false
        var movements: [Transit.Movement]
        var transit: Transit
        /// Units of the last period that were taken from the sales before the first one, or that only a delay of the line's own
        /// explains.
        var withheld: [AppleUnits] = []
        /// Of each period: what it did, and the units in transit at its end in the ordinary way.
        var steps: [(outcome: Transit.Outcome, ordinary: Int64)] = []
    }

    /// The delay that a line is rolled forward by.
    private struct DelayChoice {
        enum Ground {
            /// The line's own, which fits exactly.
            case exact
            /// Lines of all currencies show it.
            case shared
            /// Other lines of the currency show it.
            case common
            /// The same, but a delay of the line's own, which another line refutes, fits far better.
            case doubted
            /// The line's own, which fits more or less.
            case own
        }
        var index: Int
        var ground: Ground
    }

    /// Rolls the balance forward over all periods. Where Apple has more than the first period's opening allows, what was
    /// sold before it is looked at again.
    func rolled(_ key: BridgeKey, _ ledger: LedgerDays, sign: Int64) -> Rolled {
        func make(by clock: AppleClock) -> Rolled {
            let own = ledger.dated(by: clock)
            return Rolled(
                own: own, movements: movements(key, own, by: clock, sign: sign),
                transit: Transit(prices: own.prices, collectDays: months.collectDays))
        }
        var found = make(by: clocks.own[key] ?? clocks.common)
        roll(&found)
        let isTroubled =
            found.transit.hadExcess || found.transit.cohorts.contains(where: \.isLate) || !found.transit.lost.isEmpty
        guard isTroubled, let delay = steady[key], delay.misfits[0] > 0 else {
            settle(&found)
            return found
        }
        let isVarying = delay.isVarying && !months.isUnexplained(key)
        let choice = choice(of: delay, key)
        if let choice {
            found = make(by: SteadyDelay.choices[choice.index].clock)
            apply(choice, of: delay, key, isVarying: isVarying, to: &found)
        }
        found.terms.isDelayVarying = found.terms.isDelayVarying || isVarying
        roll(&found)
        settle(&found)
        let isLoose = choice.map { $0.ground == .own } ?? !delay.isLoss
        if isLoose, let choice { found.withheld += taken(delay, choice.index, found) }
        // No delay fits most lines, nor some other line.
        let isIrregular =
            shared.isEmpty && !months.isUnexplained(key) && steady.contains { $0.key != key && !$0.value.isExact }
        let isFree = isVarying || isIrregular
        let isLost = !found.transit.lost.isEmpty && !delay.isShownByPeriods
        if isLoose, isFree && !found.transit.inExcess.isEmpty || isLost {
            loosen(&found, isFree ? make(by: .latest) : found)
        }
        return found
    }

    /// Opens the balance by a delay, and holds what exceeds it in its period.
    private func apply(
        _ choice: DelayChoice, of delay: SteadyDelay, _ key: BridgeKey, isVarying: Bool, to found: inout Rolled
    ) {
        let first = months.periods[0].first
        let (clock, hours) = (SteadyDelay.choices[choice.index].clock, SteadyDelay.choices[choice.index].hours)
        let ground = choice.ground
        found.isDelayFound = true
        found.terms.isDelayKnown = [.exact, .shared, .common].contains(ground)
        found.terms.opening = found.own.cohorts(
            in: first.advanced(by: -settlementDays)..<first, by: clock, from: Int64(first.day) * 24 - hours)
        if ground != .exact, ground != .own || !isVarying {
            var most = months.periods.map { period in
                ground == .own || ground == .doubted && months.isNamed(key, in: period)
                    ? months.signed(key, in: period) ?? .max : .max
            }
            if ground == .own { most[most.count - 1] = 0 }
            if ground == .doubted { most[most.count - 1] = delay.excess(delay.best).last ?? 0 }
            // What the first period has more may have been in transit before it.
            if ground == .shared { most[0] = months.signed(key, in: months.periods[0]) ?? 0 }
            let held = delay.excess(choice.index, most: most)
            for index in held.indices { found.movements[index].held = held[index] }
        }
        found.terms.isDelayVarying = [.doubted, .shared].contains(ground)
    }

    /// Rolls again with what is known of the sales before the first period.
    private func settle(_ found: inout Rolled) {
        for _ in months.periods where !found.transit.recalled.isEmpty {
            found.terms.opening = found.transit.opened + found.transit.recalled
            found.withheld += found.transit.withheld
            roll(&found)
        }
        // What no later period reports was not in transit.
        let first = months.periods[0].first
        let unused = (found.transit.cohorts + found.transit.lost).filter { $0.soldOn < first }
        if found.terms.opening != nil, !unused.isEmpty {
            found.terms.opening = found.transit.opened.less(unused)
            roll(&found)
        }
    }

    /// Takes the oldest sales first. Where nothing tells how long Apple takes, what fits into its time to collect is late.
    /// What is then no longer in excess was in transit, or is missing from the ledger.
    private func loosen(_ found: inout Rolled, _ other: Rolled) {
        var units = found.transit.inExcess + found.withheld
        let isVarying = found.terms.isDelayVarying
        found = other
        (found.terms.isOldestFirst, found.terms.isDelayVarying) = (true, isVarying)
        roll(&found)
        settle(&found)
        _ = units.setAside(Dictionary(grouping: found.transit.inExcess, by: \.price).mapValues(\.total.units))
        found.withheld = units.filter { $0.sum.units > 0 }
    }

    private func roll(_ found: inout Rolled) {
        found.transit = Transit(prices: found.own.prices, collectDays: months.collectDays, terms: found.terms)
        found.steps = []
        for (period, movement) in zip(months.periods, found.movements) {
            let outcome = found.transit.roll(movement, from: period.first, until: period.last)
            found.steps.append((outcome, found.transit.ordinary.units))
        }
    }

    /// The delay by which a line is rolled forward: its own where it is exact; else one that lines of all currencies show,
    /// where nothing fits better; else its own, where it varies or nothing speaks against it; else one that other lines of
    /// the currency show.
    private func choice(of delay: SteadyDelay, _ key: BridgeKey) -> DelayChoice? {
        let vote = votes[key.currency.text + key.kind.rawValue] ?? SteadyDelay.Vote([])
        if let exact = delay.exact(without: vote.refuted) { return DelayChoice(index: exact, ground: .exact) }
        if let index = shared.choice(of: delay), !vote.refuted.contains(index) {
            return DelayChoice(index: index, ground: .shared)
        }
        if delay.isVarying && !months.isUnexplained(key) {
            return delay.own.map { DelayChoice(index: $0, ground: .own) }
        }
        func excess(_ index: Int) -> Int64 { delay.excess(index).reduce(0, &+) }
        if let common = vote.common.min(by: { delay.misfits[$0] < delay.misfits[$1] }),
            delay.misfits[common] <= delay.misfits[delay.best] || excess(delay.best) < excess(0)
        {
            let isDoubted = vote.refuted.contains(delay.best) && delay.isFarBetter(than: common)
            return DelayChoice(index: common, ground: isDoubted ? .doubted : .common)
        }
        return delay.own.map { DelayChoice(index: $0, ground: .own) }
    }

    /// The units of the last period that only a delay of the line's own explains: in transit before the first report, or
    /// missing from the ledger.
    private func taken(_ delay: SteadyDelay, _ index: Int, _ found: Rolled) -> [AppleUnits] {
        guard let last = found.movements.last, let differences = delay.differences(index).last else { return [] }
        var rest = (delay.excess(0).last ?? 0) &- found.transit.inExcess.total.units &- found.withheld.total.units
        var units: [AppleUnits] = []
        let excess = Dictionary(grouping: found.transit.inExcess, by: \.price).mapValues(\.total.units)
        func open(_ own: AppleUnits) -> Int64 { (differences[own.price] ?? 0) &- (excess[own.price] ?? 0) }
        for own in last.reported.sorted(by: { open($0) > open($1) }) where rest > 0 {
            var part = own
            part.sum = own.sum.part(max(0, min(rest, own.sum.units &- (excess[own.price] ?? 0))))
            rest &-= part.sum.units
            if part.sum.units > 0 { units.append(part) }
        }
        return units
    }
}
