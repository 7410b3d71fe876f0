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
    private let records: [ExceptionRecord]
    /// The exception that got each subject, as an index of `records`.
    private var recordOfSubject: [SubjectKey: Int] = [:]
    /// The subject that has each key among its aliases.
    private var subjectOfAlias: [SubjectKey: SubjectKey] = [:]

    init(observations: [Observation], records: [ExceptionRecord]) {
        self.records = records
        let present = Set(observations.map(\.subject))
        for observation in observations {
            for alias in observation.aliases where subjectOfAlias[alias] == nil {
                subjectOfAlias[alias] = observation.subject
            }
        }
        // The order of precedence; see above.
        let ranked = records.enumerated().map {
            (isResolved: $1.state == .resolved, hasNewKey: !present.contains($1.subject), position: $0)
        }
        .ordered {
            if $0.isResolved != $1.isResolved { return $1.isResolved }
            if $0.hasNewKey != $1.hasNewKey { return $1.hasNewKey }
            let (left, right) = ($0.position, $1.position)
            return (records[left].firstSeen, records[left].id) < (records[right].firstSeen, records[right].id)
        }
        recordOfSubject.reserveCapacity(records.count)
        for (_, hasNewKey, position) in ranked {
            let known = records[position].subject
            guard let subject = hasNewKey ? subjectOfAlias[known] : known else { continue }
            recordOfSubject[subject] = recordOfSubject[subject] ?? position
        }
    }

    /// The index of the observation's exception among the records. Nil without one.
    func record(of observation: Observation) -> Int? { recordOfSubject[observation.subject] }

    /// The id of the exception that got the subject of `record`, which itself got none. Nil if the subject is gone.
    func mergedInto(of record: ExceptionRecord) -> ExceptionID? {
        let subject = subjectOfAlias[record.subject] ?? record.subject
        return recordOfSubject[subject].flatMap { records[$0].id == record.id ? nil : records[$0].id }
    }
}
