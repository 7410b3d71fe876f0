internal import Domain

/// What the backend's check of a receipt answered. See docs/spec/rules.md#receipt-checks. A later case outweighs an
/// earlier one.
enum Check: Int, Comparable {
    case unverified, rejected, accepted

    static func < (left: Check, right: Check) -> Bool { left.rawValue < right.rawValue }
}

extension Receipt {
    /// *Rejected*: 21003, 21006, 21010, or 21100–21199 if the retryable flag says no. *Accepted*: 0. Anything else is
    /// *unverified*.
    var check: Check {
        switch verifyStatus {
        case 0: .accepted
        case 21003, 21006, 21010: .rejected
        case .some(21100...21199) where isRetryable == false: .rejected
        default: .unverified
        }
    }

    /// A fault of the backend's own request: asking again is useless until the request is corrected.
    var isBackendsFault: Bool { verifyStatus == 21000 || verifyStatus == 21004 }

    /// The receipt's data does not contain what it claims.
    var isDenied: Bool { [.lacksClaim, .forged, .wrongBundle].contains(proof) }

    /// Accepted, and not denied by its own data. READINGS 15.
    var vouchesForItsClaim: Bool { check == .accepted && !isDenied }
}

extension Subject {
    /// Accepted outweighs rejected, and rejected outweighs unverified. Nil without a receipt.
    var check: Check? { receipts.map(\.check).max() }

    /// No receipt has a code of the backend's, and genuine data of each lists what it claims.
    var hasOnlyReceiptsWithoutCode: Bool {
        !receipts.contains { $0.verifyStatus != nil || $0.proof != .listsClaim }
    }

    /// Why there is no purchase for a receipt.
    func orphanCause(_ policy: Policy) -> Cause {
        if check == .rejected { return .rejected }
        let claiming = receipts.filter { $0.check == check && $0.transaction != nil }
        let denied = claiming.filter { $0.isDenied && !mayBeMissing($0, policy) }
        if !claiming.isEmpty && denied.count == claiming.count { return .notInReceipt }
        if check == .unverified { return .unverified }
        return claiming.isEmpty ? .noReference : .unknownTransaction
    }

    /// A finished consumable may be missing from the data of a genuine receipt.
    private func mayBeMissing(_ receipt: Receipt, _ policy: Policy) -> Bool {
        guard receipt.proof == .lacksClaim, let product = receipt.product ?? decidingOrder?.product else {
            return false
        }
        return policy.products.type(of: product) == .consumable
    }
}
