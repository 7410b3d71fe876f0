internal import Domain

/// Which exception belongs to which of tonight's subjects: the one of the subject's key, else one whose key is now
/// another name of the subject. RULES §4.
struct Follower {
    private var entryOfSubject: [SubjectKey: BookEntry] = [:]
    private var subjectOfAlias: [SubjectKey: SubjectKey] = [:]

    init(sightings: [Sighting], entries: [BookEntry]) {
        let present = Set(sightings.map(\.subject))
        for sighting in sightings {
            for alias in sighting.aliases where subjectOfAlias[alias] == nil {
                subjectOfAlias[alias] = sighting.subject
            }
        }
        // What is open is never lost to what is resolved; then the key's own; the one first seen keeps its age.
        let ranked = entries.map {
            (isResolved: $0.state == .resolved, isMoved: !present.contains($0.subject), entry: $0)
        }
        .sorted {
            if $0.isResolved != $1.isResolved { return $1.isResolved }
            if $0.isMoved != $1.isMoved { return $1.isMoved }
            return ($0.entry.firstSeen, $0.entry.id) < ($1.entry.firstSeen, $1.entry.id)
        }
        for (_, isMoved, entry) in ranked {
            guard let subject = isMoved ? subjectOfAlias[entry.subject] : entry.subject else { continue }
            entryOfSubject[subject] = entryOfSubject[subject] ?? entry
        }
    }

    func entry(of sighting: Sighting) -> BookEntry? { entryOfSubject[sighting.subject] }

    /// The exception that a vanished subject's one is merged into.
    func heir(of entry: BookEntry) -> String? {
        let subject = subjectOfAlias[entry.subject] ?? entry.subject
        return entryOfSubject[subject].flatMap { $0.id == entry.id ? nil : $0.id }
    }
}
