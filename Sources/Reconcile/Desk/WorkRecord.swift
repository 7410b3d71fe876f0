internal import Foundation

/// The record of who has which exception in hand and what was said about it: a JSON line for each step, in a file for each
/// month beside the hand-outs. See docs/spec/interfaces.md#work.
struct WorkRecord {
    private let configuration: Configuration
    private let log: Log?

    /// - Parameter log: receives a warning about each line that cannot be read.
    init(_ configuration: Configuration, _ log: Log? = nil) { (self.configuration, self.log) = (configuration, log) }

    /// The work on each exception, and how many lines could not be read.
    ///
    /// - Parameter until: later lines do not count; nil for all.
    func standing(until: Instant? = nil) throws(Failure) -> (work: [ExceptionID: CaseWork], damaged: Int) {
        var damaged = 0
        let steps: [WorkStep] = try DeskFile.lines(of: "work", configuration) { line in
            damaged += 1
            // The page would repeat it with every look.
            if damaged <= 3 {
                log?.warning("\(line.place), is not a step of the desk's work and does not count. Correct or remove it")
            }
        }
        var work: [ExceptionID: CaseWork] = [:]
        for step in steps where until.map({ step.at <= $0 }) ?? true {
            work[step.exception, default: CaseWork()].add(step)
        }
        return (work, damaged)
    }

    /// Adds steps about one exception, all or none. Those that are known already are left out.
    ///
    /// - Returns: the work as it stood before where a step is not allowed; nil if all are on record.
    /// - Throws: `Unrecorded` if the file cannot be written or synchronized.
    func record(_ steps: [WorkStep], isLead: Bool) throws -> CaseWork? {
        guard let first = steps.first else { return nil }
        let file = try DeskFile.locked("work", at: first.at, configuration) { torn in
            log?.warning(
                "\(quoted(torn)) has a step of the desk's work that was not written to its end. It does not count")
        }
        var work = try standing().work[first.exception] ?? CaseWork()
        let before = work
        var lines: [String] = []
        for step in steps where !work.includes(step) {
            guard work.allows(step, isLead: isLead) else { return before }
            work.add(step)
            lines.append(step.recordText)
        }
        // What is known already may not be synchronized: the process that wrote it may have been killed.
        try file.append(lines, isDurable: true)
        return nil
    }
}
