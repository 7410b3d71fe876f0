/// Texts of the look-up that do not correspond to a code, at `lookup.label.…` in the templates.
enum LookupLabel: String, TextName {
    case knowsUpTo, covers, missing, subjectsMore, exceptionOf, headline, saidOf, verdictLine, notFound, searched
    case near, staleRecords, readAs, counts, settled, safe, yes, no, notNeeded, meaning, customer, next, approval
    case facts, timeline, history, retry, goods, belongsTo, historyStep, byWhom, retryLine, approvalNone
    case customerChecking, customerOrder, customerAccount, customerGiven, customerWaived, productNamed, difference,
        shortfall
    case matchedTitle, recordAs, openPurchases, suggestedOrders, order, orderUpdate, credit, reversal, purchase
    case askedBy, othersFound, ofOther, customerOther, customerUnproven, possibleOrder, older, shownAbove
    case understood, listTime, listState, listFound, listNarrow, listOpen, ownerUnknown, openFirst, span
    case givenOwn, boughtTwice, shortParty, nextDay, refund, partialRefund, uncountedRefund, familyEnd, receipt,
        statusMeaning, moreReceipts, statusTitle, refundUndone, refundOwed, testPurchase, renewal, retryDone
    case lastAnswer, receiptShows
    case severalOwners, othersBelow, hiddenAccount, compareOwner, ownerCertain, refundWish, shortfallCompany
    case yesAnswered, customerCharged, chargeWish, givenOverdue, alsoLost, releasedBy
    case recordFirst, missingWish, moneyWish, takenBackTitle, takenBackMeaning, takenBackStep
    case withdrawnGiven, refusedGiven, withdrawnWaive, refusedWaive, withdrawnGivenCheck, withdrawnWaiveCheck
    case refusedRelease, withdrawnRelease, releasedSafety, retryReleased
    case phonesEnd, bareDate, disputed
    case givenTo, givenToOther, confirmedBy, wishUnclear, accountUnknown, approvalOwner, unownedList, leftTo,
        leadDecided
    case accountIs, countsWorth, listEnding, askedBySeveral, byYou, approvalOwn, customerOwned, customerPaidTwice,
        customerUpgraded, anotherPlan, renewalTitle, renewalMeaning, originalOnly
    case rejectedBeside, rejectedStep, quoted, ofColumn, recordFirstPage, recordFirstTwo, waiverFirst, waiverPending,
        recordOthers, leftToHolder, handOutYours, handOutOf, handOutWishOf
    case ownerCertainPage, customerSubscription, linkOrder, linkOrders, orderlessTitle, orderlessMeaning, laterPeriod,
        laterTitle, laterMeaning, orderMayBePaid, customerRefunded, refundedWish, nothingElseFits
    case unrecorded, guardedBy, you, orderGiven, orderGivenMeaning, customerOrderGiven
    case lostByToken, movedAccount, guestSignedUp, unclearDate, counted, orderSays, withdrawnOwnCheck, givenOverdueOwn,
        roleOne, roleMany, lostBelow, notThenBelow, givenWaived, givenWaivedAsk
}

/// Closed sets of codes that only the look-up has words for, at `lookup.…` in the templates.
enum LookupGroup: String, TextName {
    case kind, safety, unsafe, route, foundBy, pasted, closedAs, status, origin, check, proof, retryState, answer,
        rejected
}

extension LookupSafety {
    /// Whether the customer lacks nothing, so that nothing has to be given.
    func isNotNeeded(_ verdict: Verdict) -> Bool {
        self == .verdict && [.matched, .orderMissing, .closed, .outOfScope].contains(verdict)
    }

    /// The name of its advice. A refund has some for each sign of it.
    var adviceCode: String {
        if case .refundReported(let sign) = self { return code + sign.suffix }
        return code
    }

    /// Whether nothing may be promised to the customer until an agent has checked.
    var isDoubtful: Bool {
        switch self {
        case .safe, .safeAfterTries, .verdict, .retryOut, .ownerUnknown, .purchaseOpen, .given: false
        default: true
        }
    }
}

extension Texts {
    /// Joins two sentences. Chinese needs no space between them.
    func sentences(_ first: String, _ second: String) -> String { first + (first.hasSuffix("。") ? "" : " ") + second }

    func lookupTitle(_ verdict: Verdict) -> String {
        verdict == .matched ? lookup(.matchedTitle) : title(verdict)
    }

    func lookup(_ label: LookupLabel, _ values: String...) -> String {
        filled(word("lookup.label." + label.name), values)
    }

    func lookup(_ group: LookupGroup, code: String, _ values: String...) -> String {
        filled(word("lookup.\(group.name).\(code)"), values)
    }
}

extension ExceptionFacts {
    /// A field under the title of its column.
    func line(_ name: String, zone: Zone, _ texts: Texts) -> (title: String, text: String) {
        let field = ExceptionFields.list.first { $0.name == name }!
        let text =
            switch field.shown(self) {
            case .code: texts.word(field, of: self)
            case .id(let text), .text(let text): text ?? ""
            case .ids(let values), .texts(let values): values.joined(separator: texts.label(.nameSeparator))
            case .number(let number): number.map { String($0) } ?? ""
            case .money(let amount): amount.map(money) ?? ""
            case .instant(let instant): localTime(instant, zone)
            case .differences, .labels: ""
            }
        return (texts.column(name), text)
    }
}

extension RefundSign {
    fileprivate var suffix: String {
        switch self {
        case .record: ""
        case .order: "_order"
        case .suggestedOrder: "_suggested"
        case .upgrade: "_upgrade"
        }
    }

    func text(_ texts: Texts) -> String {
        switch self {
        case .record: ""
        case .order(let ids), .suggestedOrder(let ids): ids.joined(separator: texts.label(.nameSeparator))
        case .upgrade(let plan): plan ?? texts.lookup(.anotherPlan)
        }
    }
}
