/// When goods were given, or orders were created, by any version on record: spans of time without a break of more than
/// `longestBreak`.
public struct TimeSpans: Hashable, Codable, Sendable {
    /// Goods before a longer break do not show that the records go back to them: a backend may date the goods of a restore by
    /// the purchase of years ago.
    private static let longestBreak = Milliseconds.days(14)

    /// In order. Between any two is a longer break.
    public private(set) var spans: [ClosedRange<Instant>] = []

    public var isEmpty: Bool { spans.isEmpty }

    /// The oldest goods that no break of more than `longestBreak` separates from `instant`. Nil if one comes before `instant`.
    public func beginning(until instant: Instant) -> Instant? {
        spans.first { instant <= $0.upperBound + Self.longestBreak }?.lowerBound
    }

    /// Takes goods into account that were given then. A date before the App Store opened does not count: an export wrote
    /// it where it had none.
    public mutating func note(_ instant: Instant) {
        guard instant >= .appStoreOpening else { return }
        // The rows of a file are mostly in order.
        if let last = spans.last, instant >= last.lowerBound, instant <= last.upperBound + Self.longestBreak {
            spans[spans.count - 1] = last.lowerBound...max(instant, last.upperBound)
        } else {
            note(instant...instant)
        }
    }

    /// Takes a span of goods into account.
    public mutating func note(_ span: ClosedRange<Instant>) {
        var whole = span
        spans.removeAll { other in
            guard other.lowerBound <= span.upperBound + Self.longestBreak,
                span.lowerBound <= other.upperBound + Self.longestBreak
            else { return false }
            whole = min(whole.lowerBound, other.lowerBound)...max(whole.upperBound, other.upperBound)
            return true
        }
        spans.insert(whole, at: spans.firstIndex { $0.lowerBound > whole.lowerBound } ?? spans.count)
    }

    /// Takes everything into account that the other one knows.
    public mutating func note(_ further: TimeSpans) {
        for span in further.spans { note(span) }
    }
}

extension TimeSpans {
    /// These times, mostly at the cost of two comparisons each, in whatever order they are.
    init(_ instants: some Sequence<Instant>) {
        var span: ClosedRange<Instant>?
        for instant in instants where instant >= .appStoreOpening {
            if let known = span, known.lowerBound <= instant + Self.longestBreak,
                instant <= known.upperBound + Self.longestBreak
            {
                if !known.contains(instant) {
                    span = min(known.lowerBound, instant)...max(known.upperBound, instant)
                }
            } else {
                if let span { note(span) }
                span = instant...instant
            }
        }
        if let span { note(span) }
    }
}
