internal import Domain

/// Decides which known exception belongs to which of tonight's subjects. See docs/spec/rules.md#exception-ids.
///
/// A subject's key may change from night to night: an order's transaction arrives, or an earlier restore turns up. The
/// exception must follow its subject, or it would be resolved and opened again under another id. A subject's *aliases*
/// are the keys under which its evidence was, or might have been, known before.
///
/// How it works:
///
/// 1. Each known exception names its subject: the subject with the exception's own key if there is one tonight, else
///    the first subject with that key among its aliases.
/// 2. Where several exceptions name one subject, the first in this order gets it: open before resolved, so that work in
///    progress is never lost; then unchanged keys before moved ones; then the one first seen, so that the age is kept;
///    then the lower id.
/// 3. The others remain without a subject. The register resolves them as merged into the one that got it.
struct ExceptionLinker {
    private let entries: [ExceptionRecord]
    /// The exception that got each subject, as an index of `entries`.
    private var entryOfSubject: [SubjectKey: Int] = [:]
    /// The subject that has each key among its aliases.
    private var subjectOfAlias: [SubjectKey: SubjectKey] = [:]

    init(observations: [Observation], entries: [ExceptionRecord]) {
        self.entries = entries
        let present = Set(observations.map(\.subject))
        for observation in observations {
            for alias in observation.aliases where subjectOfAlias[alias] == nil {
                subjectOfAlias[alias] = observation.subject
            }
        }
        // The order of precedence; see above.
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

    /// The index of the observation's exception among the entries. Nil if none belongs to it.
    func entry(of observation: Observation) -> Int? { entryOfSubject[observation.subject] }

    /// The id of the exception that got the subject of `entry`, which itself got none. Nil if the subject is gone.
    func mergedInto(of entry: ExceptionRecord) -> ExceptionID? {
        let subject = subjectOfAlias[entry.subject] ?? entry.subject
        return entryOfSubject[subject].flatMap { entries[$0].id == entry.id ? nil : entries[$0].id }
    }
}
