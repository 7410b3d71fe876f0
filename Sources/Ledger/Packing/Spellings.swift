internal import Synchronization

/// The texts that occur often, stored once each, and the numbers that stand for them in packed tables (`spelling`):
///
/// - A *word*, such as a product, a currency or a status, has a negative number.
/// - A set of *labels*, as text, has a negative number, too, below those of words: `prune` deletes those that no row has.
/// - A *prefix* is the text before the last digits of an identifier, with the number of those digits. An identifier with
///   a known prefix is stored as the value of its digits × 1024 + the prefix's number, which is positive.
///
/// All other texts are stored as they are. A text gets its number when it is stored for the eighth time in a run:
/// random ids have endlessly many prefixes, and clients can send endlessly many products. Numbers are never given to
/// another text.
struct Spellings: Sendable {
    struct Entry: Sendable {
        var text: String
        /// How many digits follow. 0 for a word.
        var digits: Int
        /// The word, or the prefix followed by zeros. Absent for labels.
        fileprivate(set) var identifier: Identifier
        /// The currency of this name, if there is one.
        fileprivate(set) var currency: Currency?
    }

    static let prefixesMax: Int64 = 1023
    static let wordsMax: Int64 = 65_535
    /// The numbers of sets of labels.
    static let labelNumbers = -131_071 ... -65_536 as ClosedRange<Int64>
    /// How often a text is stored before it gets a number.
    private static let often = 8

    /// Element `n` has number `n`; for words, `-n`. The first elements are unused.
    private var prefixes: [Entry?] = [nil]
    private var words: [Entry?] = [nil]
    /// The texts of sets of labels, by number. Most commands need few of the sets, so they are made where they are needed.
    private var labels: [Int64: String] = [:]
    private var nextLabels = Self.labelNumbers.upperBound
    /// The number of each prefix, by its number in this process; negative: how often it was met so far.
    private var prefixNumbers: [Int64] = []
    /// The words met, by their bits in this process, and for each its number, which is negative, or how often it was met.
    private var met = NumberedValues<UInt64>()
    private var wordNumbers: [Int64] = []
    /// The same for sets of labels, with the text of each that has no number.
    private var metLabels = NumberedValues<UInt64>()
    private var labelSpellings: [LabelSpelling] = []
    private var areStoredLabelsMet = false
    /// The words of the few currencies.
    private var currencies: [(currency: Currency, word: Identifier)] = []
    /// The numbers that were given since the table was read.
    private(set) var new: [Int64] = []

    /// The entry of this number. Nil if there is none.
    subscript(number: Int64) -> Entry? {
        if Self.labelNumbers.contains(number) {
            return labels[number].map { Entry(text: $0, digits: 0, identifier: .absent) }
        }
        if number < 0 { return number > -Int64(words.count) ? words[Int(-number)] : nil }
        return number < prefixes.count ? prefixes[Int(number)] : nil
    }

    /// The identifier that a number stands for. Nil if there is none.
    func identifier(_ number: Int64) -> Identifier? {
        guard number > 0 else { return Self.labelNumbers.contains(number) ? nil : self[number]?.identifier }
        guard let entry = self[number & Self.prefixesMax] else { return nil }
        let value = UInt64(number >> 10)
        if entry.identifier.numbered != nil, value < 1 << 47 {
            return Identifier(bits: entry.identifier.bits | value)
        }
        let digits = String(value)
        return Identifier(entry.text + String(repeating: "0", count: max(0, entry.digits - digits.count)) + digits)
    }

    /// The number of an identifier whose last digits follow a known prefix. Nil if it must be stored as text.
    mutating func number(of id: Identifier) -> Int64? {
        guard let (prefix, value) = id.numbered else { return nil }
        while prefixNumbers.count <= prefix { prefixNumbers.append(0) }
        if prefixNumbers[prefix] <= 0 {
            prefixNumbers[prefix] -= 1
            guard prefixNumbers[prefix] == Int64(-Self.often), prefixes.count <= Self.prefixesMax else { return nil }
            let (text, digits) = IdentifierTable.shared.prefix(prefix)
            enter(Int64(prefixes.count), text, digits: digits)
            new.append(Int64(prefixes.count - 1))
        }
        return Int64(value) << 10 | prefixNumbers[prefix]
    }

    /// The number of a word. Nil if it must be stored as text.
    mutating func number(ofWord word: Identifier) -> Int64? {
        if word.numbered != nil { return number(of: word) }
        let place = place(ofWord: word)
        if wordNumbers[place] < 0 { return wordNumbers[place] }
        wordNumbers[place] += 1
        guard wordNumbers[place] == Int64(Self.often), words.count <= Self.wordsMax else { return nil }
        let number = -Int64(words.count)
        enter(number, word.text, digits: 0)
        new.append(number)
        return number
    }

    private mutating func place(ofWord word: Identifier) -> Int {
        let place = met.number(of: word.bits)
        if place == wordNumbers.count { wordNumbers.append(0) }
        return place
    }

    /// How a set of labels is stored.
    enum LabelSpelling {
        case number(Int64)
        case text(String, met: Int)
    }

    mutating func spelling(of set: LabelSet) -> LabelSpelling {
        if !areStoredLabelsMet { meetStoredLabels() }
        let place = metLabels.number(of: set.bits)
        if place == labelSpellings.count { labelSpellings.append(.text(set.text, met: 0)) }
        guard case .text(let text, let met) = labelSpellings[place] else { return labelSpellings[place] }
        if met + 1 == Self.often, Self.labelNumbers.contains(nextLabels) {
            new.append(nextLabels)
            labelSpellings[place] = .number(nextLabels)
            enter(nextLabels, text, digits: 0)
        } else {
            labelSpellings[place] = .text(text, met: met + 1)
        }
        return labelSpellings[place]
    }

    private mutating func meetStoredLabels() {
        areStoredLabelsMet = true
        for (number, text) in labels {
            guard let set = LabelSet(text: text) else { continue }
            let place = metLabels.number(of: set.bits)
            if place == labelSpellings.count { labelSpellings.append(.number(number)) }
        }
    }

    /// The currency's letters as a word.
    mutating func word(_ currency: Currency) -> Identifier {
        if let known = currencies.first(where: { $0.currency == currency }) { return known.word }
        let word = Identifier(currency.text)
        currencies.append((currency, word))
        return word
    }

    /// Adds an entry of the table.
    private mutating func enter(_ number: Int64, _ text: String, digits: Int) {
        if Self.labelNumbers.contains(number) {
            labels[number] = text
            nextLabels = min(nextLabels, number - 1)
            return
        }
        let identifier = Identifier(text + String(repeating: "0", count: digits))
        let entry = Entry(text: text, digits: digits, identifier: identifier, currency: Currency(text))
        func put(_ entries: inout [Entry?], _ index: Int) {
            while entries.count <= index { entries.append(nil) }
            entries[index] = entry
        }
        if number < 0 {
            put(&words, Int(-number))
            wordNumbers[place(ofWord: identifier)] = number
        } else {
            put(&prefixes, Int(number))
            // Where this process has too many prefixes, the identifier has none.
            guard let prefix = identifier.numbered?.prefix else { return }
            while prefixNumbers.count <= prefix { prefixNumbers.append(0) }
            prefixNumbers[prefix] = number
        }
    }

    fileprivate mutating func forgetNew() { new.removeAll() }
}

extension Spellings {
    /// The table as the ledger stores it.
    /// - Throws: `LedgerError.damaged` if it has a number that no run gives.
    init(_ ledger: Ledger) throws {
        var row = try ledger.connection.prepare("SELECT id, text, digits FROM spelling")
        while try row.step() {
            let (number, digits) = (row.integer(0), row.integer(2))
            let isWord = digits == 0 && (-Self.wordsMax..<0 ~= number || Self.labelNumbers.contains(number))
            let isPrefix = 1...IdentifierTable.digitsMax ~= Int(digits) && 1...Self.prefixesMax ~= number
            guard isWord || isPrefix else { throw LedgerError.damaged("a spelling has an impossible number") }
            enter(number, row.text(1), digits: Int(digits))
        }
    }
}

extension Ledger {
    /// The spellings as they are now. Outside a transaction, they are read each time, because a run may have committed
    /// others.
    func spellings() throws -> SharedSpellings {
        if isInTransaction, let loadedSpellings { return loadedSpellings }
        let shared = SharedSpellings(try Spellings(self))
        loadedSpellings = shared
        return shared
    }

    /// Writes the spellings that the transaction added.
    func writeSpellings() throws {
        guard let loadedSpellings else { return }
        try loadedSpellings.use { table in
            var row = try TableWriter(self, .spellings)
            for number in table.new {
                guard let entry = table[number] else { continue }
                try row.write(number, entry.text, entry.digits)
            }
            table.forgetNew()
        }
    }
}

/// The spellings that a run uses. Its rows are packed batch by batch on another thread, in the order in which they are
/// written, so that the same night gives the same numbers.
final class SharedSpellings: Sendable {
    private let table: Mutex<Spellings>

    init(_ table: Spellings) { self.table = Mutex(table) }

    /// The table as it is now.
    var copy: Spellings { table.withLock { $0 } }

    /// Calls `body` with the table, which no one else changes meanwhile.
    func use<Result>(_ body: (inout Spellings) throws -> Result) rethrows -> Result {
        try table.withLock { table in try body(&table) }
    }
}
