internal import CResources
internal import Foundation

/// What columns, states and files are called in shops, in English, Pinyin and Chinese: `Resources/names.json`.
struct Names: Decodable {
    struct Column: Decodable {
        /// Names that say which column it is.
        var names: [String]
        /// Names that other columns have as well.
        var weak: [String]
        /// Names of columns that say yes or no to it.
        var flags: [String]?
    }
    struct Channel: Decodable {
        var names: [String]
        var apple: [String]
    }

    /// By standard name.
    let columns: [String: Column]
    /// The standard words for others, by standard name of the column.
    let words: [String: [String: String]]
    let flags: [String: [String]]
    /// What says that an amount is in minor or in major units.
    let minor: [String]
    let major: [String]
    let channel: Channel
    /// Columns that a shop may want in its reports, by the name of the label.
    let labels: [String: [String]]
    /// Columns that say that a row was deleted or voided.
    let deleted: [String]
    /// What is in the names of columns that say how an attempt ended.
    let outcomes: [String]
    /// What is in words that say that an attempt failed, in lower case.
    let failures: [String]
    /// Columns that name the person who gave goods by hand.
    let `operator`: [String]
    /// What the last row of an export begins with if it is a sum.
    let totals: [String]
    /// Words in the names of files, by kind of feed; `desk` for goods given by hand, `reversals` for goods taken back.
    let files: [String: [String]]

    static let all: Names = {
        do { return try JSONDecoder().decode(Names.self, from: Data(String(cString: column_names()).utf8)) } catch {
            preconditionFailure("names.json: \(error)")
        }
    }()

    /// How surely a column of that name is the standard column: 3 if the name says so, 1 if it may, 0 if not. Of a path, what
    /// its last steps say.
    func level(of name: String, as standard: String) -> Int {
        guard let column = columns[standard] else { return 0 }
        let own = Self.spellings(of: name)
        func isListed(_ names: [String]) -> Bool { names.contains { own.contains(Feed.plain($0)) } }
        if Feed.isSame(name, standard) || isListed(column.names) || isListed(column.flags ?? []) { return 3 }
        return isListed(column.weak) ? 1 : 0
    }

    func isFlag(_ name: String, of standard: String) -> Bool {
        let own = Self.spellings(of: name)
        return (columns[standard]?.flags ?? []).contains { own.contains(Feed.plain($0)) }
    }

    func isOneOf(_ names: [String], _ name: String) -> Bool {
        let own = Self.spellings(of: name)
        return names.contains { own.contains(Feed.plain($0)) }
    }

    /// The name, and of a path the last two steps as one name, and the last step unless those say what it is.
    private static func spellings(of name: String) -> [String] {
        var steps = name.split(separator: ".").map { Feed.plain(String($0)) }
        // DynamoDB, MongoDB and Firestore name the type last.
        let isTyped =
            ["S", "N", "BOOL", "_seconds"].contains { name.hasSuffix("." + $0) } || steps.last?.hasPrefix("$") == true
        if steps.count > 1, isTyped { steps.removeLast() }
        let two = steps.suffix(2).joined()
        return steps.count > 1 && known.contains(two) ? [two] : [Feed.plain(name), two, steps.last ?? ""]
    }

    /// All names that say which column it is.
    private static let known = Set(all.columns.flatMap { $0.value.names + [$0.key] }.map { Feed.plain($0) })

    /// The standard word for a word of the shop; nil if it is not known.
    func word(_ own: String, of standard: String) -> String? {
        let known = words[standard] ?? [:]
        return known[own] ?? known.first { Feed.plain($0.key) == Feed.plain(own) }?.value
    }

    /// Whether the name of a file has a word of that kind in it.
    func isFile(_ path: String, _ kind: String) -> Bool {
        let name = path.lowercased()
        let parts = name.split { !$0.isLetter }
        return (files[kind] ?? []).contains { word in
            guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return name.contains(word) }
            return parts.contains { $0 == word || word.count > 4 && ($0.hasSuffix(word) || $0.hasPrefix(word)) }
        }
    }
}
