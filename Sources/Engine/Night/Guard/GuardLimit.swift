/// From where on a figure is unusual, apart from what a person sets.
enum GuardLimit {
    /// Where no date before says what is usual, fewer purchases say nothing about their feeds.
    static let purchasesMin = 20
    /// Times that are off are those of at least this many accounts: one customer can open any number of orders.
    static let shiftedMin = 5
    /// If this many purchases of a date lack a credit, or have another fault, that is suspicious.
    static let suspectsMin = 10
    /// Fewer are suspicious if chance would produce them on fewer than one date in so many.
    static let chanceMax = 1000.0
    /// The probability of a fault is the usual share, but at least one in so many.
    static let ordinary = 12
    /// A share of such purchases that is this many times the usual one is suspicious if it also exceeds a tenth.
    static let usualTimes = 5
    /// How many earlier dates say what is usual.
    static let usualSpan = 28
    /// How many of them must have purchases.
    static let usualDatesMin = 3
    /// A feed with fewer rows has no usual number of rows.
    static let rowsMin = 30
    /// A feed or a file that usually has so many rows has none by chance on one date in 20,000.
    static let noneMin = 10
    /// Fewer contradictions withhold the entries that they may concern, and no others.
    static let collisionsMin = 3
    /// This many contradictions hold the night, regardless of their share.
    static let collisionsMost = 20
    /// A date's last purchase is early if it is more than this earlier than that of each date before.
    static let earlyMin = Milliseconds.hours(3)
    /// Of fewer dates, the times of the last rows say nothing.
    static let endsMin = 7
    /// A file of credits ended too early if its last row is earlier than the usual one by more than `silence`, and since then so
    /// many customers paid who lack their goods; all of them being lost orders is hardly ever chance.
    static let lackingMin = [(silence: Milliseconds.hours(1), customers: 3), (.minutes(15), 6)]
    /// So many purchases of some hours lack their goods; of a product on several dates, of so many customers.
    static let togetherMin = 5
    /// They are of at least so many customers.
    static let customersMin = 3
    /// Of a product that the backend never gave, they are of at least so many customers.
    static let neverGivenMin = 2
    /// Of those on several dates, at least so many are on other dates than the worst one.
    static let otherDatesMin = 2
    /// Of one customer, so many purchases count among those of some hours.
    static let countedMost = 3
    /// The probability of a lost order is the usual share, but at least one in so many.
    static let togetherOrdinary = 50
    /// The same of all dates together.
    static let steadyOrdinary = 100
    /// The share must be more than this many times the usual one.
    static let togetherTimes = 3
    /// A span of hours that ends on the next date has at most so many.
    static let midnightHours = 11
    /// How many spans of whole hours begin on a date.
    static let hourWindows = 355
    /// What a person released has stopped if chance would spare its purchases less than once in so many times.
    static let stoppedMax = 50.0
    /// Purchases of this many dates are looked at.
    static let togetherSpan = 7
    /// The credits on record may lack rows if, by the consumer's answers, at least so many customers have their goods.
    static let givenMin = 3
    /// More than one of so many answers must say so.
    static let givenShare = 5
    /// How many days a person's release of a finding about few rows covers similar dates.
    static let acceptedSpan = 91
    /// How many earlier nights are searched for a precedent.
    static let nightsMost = 92
    /// How many earlier deliveries the rows are compared with. Of two, the smaller one is usual, because the first may
    /// hold the whole history. One alone can only make a file without rows suspicious.
    static let deliveries = 2...7
    /// A small feed that had rows in so many deliveries before, as far as there are as many, always has some.
    static let alwaysMost = 28
}
