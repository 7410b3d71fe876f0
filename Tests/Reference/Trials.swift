import Foundation

/// How many random trials a property test makes: few in the suite, many in `scripts/soak`, which sets LONG_TRIALS.
public enum Trials {
    /// Whether the environment asks for the long form of every test.
    public static let areLong = ProcessInfo.processInfo.environment["LONG_TRIALS"] != nil

    /// The number of trials.
    public static func count(_ short: Int, long: Int) -> Int { areLong ? long : short }

    /// Seeds of trials from 0 on, in equal blocks that run beside each other: block `index` of them.
    public static func seeds(inBlock index: Int, _ short: Int, long: Int) -> Range<UInt64> {
        let size = count(short, long: long)
        return UInt64(index * size)..<UInt64((index + 1) * size)
    }
}
