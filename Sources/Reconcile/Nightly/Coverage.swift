internal import Domain
internal import Intake
internal import Ledger

/// Which days nobody could look at: what each required feed has not delivered since the first business date imported,
/// and what was refused. RULES §3 "Coverage".
struct CoverageReport {
    var coverage: Coverage
    var blindSpots: [BlindSpot]

    /// - Parameters:
    ///   - arrivals: dates by feed pattern, tonight's among them.
    ///   - refusals: of files of feeds that are not required, of all runs up to now.
    init(
        feeds: [Feed], arrivals: [String: Set<BusinessDate>], refusals: [BlindSpot], through date: BusinessDate
    ) {
        let first = arrivals.values.compactMap { $0.min() }.min()
        var holes: [FeedKind: Set<BusinessDate>] = [:]
        var spots: [BlindSpot] = []
        for feed in feeds where feed.required {
            let arrived = arrivals[feed.name] ?? []
            var day = first ?? date
            while day <= date {
                if !arrived.contains(day) {
                    holes[feed.kind, default: []].insert(day)
                    spots.append(
                        BlindSpot(feed: feed.kind.rawValue, date: day.text, why: BlindSpot.missing + feed.name))
                }
                day = day.advanced(by: 1)
            }
        }
        for refusal in Set(refusals) {
            guard let kind = FeedKind(rawValue: refusal.feed), let day = BusinessDate(refusal.date) else { continue }
            let isMended = feeds.contains { $0.kind == kind && $0.isMended(day, by: arrivals[$0.name] ?? []) }
            if isMended { continue }
            holes[kind, default: []].insert(day)
            spots.append(refusal)
        }
        coverage = Coverage(firstDate: first, holes: holes.mapValues { $0.sorted() })
        blindSpots = spots.sorted { ($0.date, $0.feed, $0.why) < ($1.date, $1.feed, $1.why) }
    }

    /// Whether a day that the run before held to be covered lacks its credits now: an older file came late and made an
    /// earlier day the first, or was refused. Any order of that day may have been taken at its word.
    func hasNewHole(upTo date: BusinessDate, besides known: [BlindSpot]) -> Bool {
        hasNewHole(in: .credits, upTo: date, besides: known)
    }

    /// Whether a day is blind that the run before did not know of.
    func hasNewHole(in feed: FeedKind, upTo date: BusinessDate, besides known: [BlindSpot]) -> Bool {
        (coverage.holes[feed] ?? []).contains { day in
            day <= date && !known.contains { $0.feed == feed.rawValue && $0.date == day.text }
        }
    }
}

extension BlindSpot {
    fileprivate static let missing = "missing: "

    /// A required feed's file is not there; else one was refused.
    var isMissing: Bool { why.hasPrefix(Self.missing) }
}

extension Feed {
    /// Whether a file came that may hold what one of that day would have held: its own, or of a feed without dates
    /// any later one.
    fileprivate func isMended(_ day: BusinessDate, by arrivals: Set<BusinessDate>) -> Bool {
        arrivals.contains(day) || !path.contains("{date}") && arrivals.contains { $0 > day }
    }
}
