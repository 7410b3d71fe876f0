internal import Base
internal import Console
internal import Fetch

/// Whether Apple accepts the configured keys: `check --online`.
extension Check {
    mutating func askApple() throws {
        guard configuration.apple != nil else {
            return findings.doubt(
                "Apple", "the configuration has no section 'apple', so no key was tried. apple.md says how to add one.")
        }
        do {
            let trials: [KeyTrial] = try FetchProcess().records(["online", "--config", configuration.file])
            for trial in trials { findings.note(trial.what, trial.problem) }
        } catch let error as FetchEnded {
            findings.note(
                "Apple's answer", "reconcile-fetch ended with \(error.code.rawValue). Its message above says why.")
        }
    }

    /// Names the notifications that `fetch` could not give to the night.
    mutating func checkUnsigned() {
        for (day, unsigned) in configuration.daysWithUnsigned(now: context.clock()) {
            findings.doubt(
                "notifications in \(unsigned)",
                "they came from Apple without a signed payload, and no night sees them. Remove \(day) to fetch the day "
                    + "again. If they come again, find out which purchases they are about, ask for those with "
                    + "reconcile ask, and remove the file.")
        }
    }
}
