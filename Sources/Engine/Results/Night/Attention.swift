/// A reason why a person must look at a night, beside missing files, unusual input and held entries.
public enum Attention: Equatable, Sendable {
    /// Exceptions that a change of the configuration closed, by their number.
    case closed(Int)
    /// Kinds of feeds that the configuration has lost.
    case removed([FeedKind])
    /// Kinds of feeds of which fewer are required.
    case unrequired([FeedKind])
    /// The rejected row that withholds the goods of several customers, as `file:line`.
    case row(String)
    /// Columns that the files have lost.
    case columns([String])
    /// Products whose prices are in doubt.
    case prices([String])
    /// Payments in a break of the goods on record, by their number.
    case goodsBreak(Int)
    /// Products whose renewals are withheld.
    case renewals([String])
    /// A grace is longer: how many settings changed.
    case settings(Int)
}

extension NightReport {
    /// Whether a person must look. The headline names each reason.
    public var demandsAttention: Bool {
        !coverageGaps.isEmpty || retry.held > 0 || !guarded.isEmpty || !attention.isEmpty
    }

    /// The further reasons to look, in the order of the headline.
    public var attention: [Attention] {
        func some<Name>(_ names: [Name], _ reason: ([Name]) -> Attention) -> Attention? {
            names.isEmpty ? nil : reason(names)
        }
        return [
            closedBySettings > 0 ? .closed(closedBySettings) : nil,
            some(removed, Attention.removed), some(unrequired, Attention.unrequired),
            withholdingRow.map(Attention.row), some(lostColumns.flatMap(\.columns), Attention.columns),
            some(toldPrices.map(\.product), Attention.prices), toldBreak.map { .goodsBreak($0.count) },
            some(toldRenewals, Attention.renewals),
            longerGraces.isEmpty ? nil : .settings(settingsChanged.count),
        ].compactMap(\.self)
    }
}
