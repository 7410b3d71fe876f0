internal import Domain

/// Which exception belongs to which of tonight's subjects: the one of the subject's key, else one whose key is now
/// another name of the subject. RULES §4.
struct ExceptionLinker {
    private let entries: [ExceptionRecord]
    /// Positions among the entries.
    private var entryOfSubject: [SubjectKey: Int] = [:]
    private var subjectOfAlias: [SubjectKey: SubjectKey] = [:]

    init(observations: [Observation], entries: [ExceptionRecord]) {
        self.entries = entries
        let present = Set(observations.map(\.subject))
        for observation in observations {
            for alias in observation.aliases where subjectOfAlias[alias] == nil {
                subjectOfAlias[alias] = observation.subject
            }
        }
        // What is open is never lost to what is resolved; then the key's own; the one first seen keeps its age.
        let ranked = entries.enumerated().map {
            (isResolved: $1.state == .resolved, isMoved: !present.contains($1.subject), position: $0)
        }
        .sorted {
            if $0.isResolved != $1.isResolved { return $1.isResolved }
            if $0.isMoved != $1.isMoved { return $1.isMoved }
            let (left, right) = ($0.position, $1.position)
            return (entries[left].firstSeen, entries[left].id) < (entries[right].firstSeen, entries[right].id)
        }
        entryOfSubject.reserveCapacity(entries.count)
        for (_, isMoved, position) in ranked {
            let known = entries[position].subject
            guard let subject = isMoved ? subjectOfAlias[known] : known else { continue }
            entryOfSubject[subject] = entryOfSubject[subject] ?? position
        }
    }

    /// Its position among the entries.
    func entry(of observation: Observation) -> Int? { entryOfSubject[observation.subject] }

    /// The exception that a vanished subject's one is merged into.
    func mergedInto(of entry: ExceptionRecord) -> String? {
        let subject = subjectOfAlias[entry.subject] ?? entry.subject
        return entryOfSubject[subject].flatMap { entries[$0].id == entry.id ? nil : entries[$0].id }
    }
}
