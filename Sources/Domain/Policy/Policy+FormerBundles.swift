extension Policy {
    /// The proof that a transaction has by the bundle ids of today. Its row may have been read while others were configured.
    /// See docs/spec/rules.md#bundle-ids.
    ///
    /// - A transaction that failed by its bundle id alone, and whose id is configured by now, is vouched for. What else was
    ///   proven is not on record.
    /// - A proven one whose id is not configured any more cannot be verified here. A vouched record may have named no app;
    ///   then it took the only id that was configured, and its proof stays.
    public func proof(
        _ proof: Proof, _ failure: ProofFailure, of bundle: Identifier?, in delivery: DeliveryID
    ) -> (proof: Proof, failure: ProofFailure) {
        guard let bundle, let former = formerBundles[delivery], former.contains(bundle) != bundles.contains(bundle)
        else { return (proof, failure) }
        if failure == .wrongBundle { return bundles.contains(bundle) ? (.vouched, .none) : (proof, failure) }
        let isStated = proof == .verified || proof == .vouched && former.count > 1
        return isStated && !bundles.contains(bundle) ? (.unverifiable, failure) : (proof, failure)
    }
}
