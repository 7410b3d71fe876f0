/// The shares from which a person must look at the input before goods are given, in parts per million.
public struct GuardSettings: Sendable, Equatable {
    /// Uncredited: more than this share of a date's proven purchases without a credit.
    public var uncredited = 500_000
    /// Rows: fewer than this share of a required feed's usual rows.
    public var rows = 333_333
    /// Invalid: more than this share of a date's transactions belonging to another app.
    public var invalid = 200_000
    /// Collisions: more than this share of a date's rows under an id that another customer's or payment's record has.
    public var collisions = 5_000

    /// The settings of a configuration without the section `guard`.
    public init() {}
}
