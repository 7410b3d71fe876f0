/// An object of the configuration. Values are read by key, with checks whose messages name the value by its path.
///
/// `null` means the same as an absent value.
struct Section {
    /// Its path for messages: `app`, `feeds[2]`, or empty for the whole file.
    let path: String
    let position: JSON5.Position
    let members: [JSON5.Member]

    /// - Parameter keys: the allowed keys; nil if the keys are data.
    /// - Throws: `ConfigurationProblem` if the value is not an object or has an unknown key.
    init(_ value: JSON5, path: String, keys: [String]?) throws(ConfigurationProblem) {
        guard case .object(let members) = value.content else {
            let name = path.isEmpty ? "the configuration" : path
            throw ConfigurationProblem(value.position, "\(name) is \(value.noun)", remedy: "Write an object { … }.")
        }
        self.path = path
        position = value.position
        self.members = members
        for member in members where keys?.contains(member.key) == false {
            let place = path.isEmpty ? "the configuration" : path
            throw ConfigurationProblem(
                member.keyPosition, "\(quoted(member.key)) is not a key of \(place)",
                remedy: Self.hint(member.key, among: keys ?? []))
        }
    }

    /// `Did you mean 'grace'?` or, if no name is similar, all of them.
    static func hint(_ typed: String, among names: [String]) -> String {
        if let name = nearest(typed, among: names) { return "Did you mean '\(name)'?" }
        return "Allowed: \(alternatives(names))."
    }

    /// The path of a member.
    func name(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// The value of `key`; nil if it is absent or `null`.
    func value(_ key: String) -> JSON5? {
        guard let value = members.first(where: { $0.key == key })?.value, value.content != .null else { return nil }
        return value
    }

    /// A problem with the value of `key`, at the value's position or, if there is none, at the object's.
    func problem(_ key: String, _ message: String, remedy: String) -> ConfigurationProblem {
        let place = members.first { $0.key == key }?.value.position ?? position
        return ConfigurationProblem(place, name(key) + " " + message, remedy: remedy)
    }

    /// An object; nil if it is absent.
    func section(_ key: String, keys: [String]?) throws(ConfigurationProblem) -> Section? {
        guard let value = value(key) else { return nil }
        return try Section(value, path: name(key), keys: keys)
    }

    /// A non-empty text without control characters.
    func text(_ key: String, example: String) throws(ConfigurationProblem) -> String? {
        guard let value = value(key) else { return nil }
        return try Self.text(value, name: name(key), example: example)
    }

    static func text(_ value: JSON5, name: String, example: String) throws(ConfigurationProblem) -> String {
        guard case .text(let text) = value.content else {
            throw ConfigurationProblem(
                value.position, "\(name) is \(value.noun)", remedy: "Write text, such as \"\(example)\".")
        }
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ConfigurationProblem(
                value.position, "\(name) is empty or contains control characters",
                remedy: "Write text, such as \"\(example)\".")
        }
        return text
    }

    func date(_ key: String) throws(ConfigurationProblem) -> BusinessDate? {
        guard let text = try text(key, example: "2026-01-01") else { return nil }
        guard let date = BusinessDate(text) else {
            throw problem(key, "is \(quoted(text))", remedy: "Write a day as \"2026-01-01\", or null.")
        }
        return date
    }

    /// A list of distinct texts.
    func texts(
        _ key: String, example: String, mayBeEmpty: Bool = false
    ) throws(ConfigurationProblem) -> [String]? {
        guard let value = value(key) else { return nil }
        guard case .list(let elements) = value.content else {
            throw problem(key, "is \(value.noun)", remedy: "Write a list, such as [\"\(example)\"].")
        }
        var texts: [String] = []
        for (number, element) in elements.enumerated() {
            let isEmpty = mayBeEmpty && element.content == .text("")
            let text = isEmpty ? "" : try Self.text(element, name: "\(name(key))[\(number)]", example: example)
            if texts.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
                throw ConfigurationProblem(
                    element.position, "\(name(key)) lists \(quoted(text)) twice", remedy: "Remove one of them.")
            }
            texts.append(text)
        }
        return texts
    }

    func flag(_ key: String) throws(ConfigurationProblem) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .flag(let flag) = value.content else {
            throw problem(key, "is \(value.noun)", remedy: "Write true or false.")
        }
        return flag
    }

    /// One of the words of a type.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(_ key: String) throws(ConfigurationProblem) -> Choice?
    {
        try choice(key, of: Choice.allCases.map { ($0.rawValue, $0) })
    }

    /// One of a closed set of words, as the value that it stands for.
    func choice<Choice>(_ key: String, of choices: [(word: String, meaning: Choice)]) throws(ConfigurationProblem)
        -> Choice?
    {
        guard let value = value(key) else { return nil }
        let words = choices.map(\.word)
        guard case .text(let text) = value.content else {
            throw problem(key, "is \(value.noun)", remedy: "Write one of \(alternatives(words.map { "\"\($0)\"" })).")
        }
        guard let choice = choices.first(where: { $0.word == text }) else {
            throw problem(key, "is \(quoted(text))", remedy: Self.hint(text, among: words))
        }
        return choice.meaning
    }

    /// A whole number in plain digits.
    func count(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationProblem) -> Int? {
        guard let value = value(key) else { return nil }
        guard case .number(let spelling) = value.content, let number = Int(spelling), range.contains(number) else {
            let remedy = "Write a whole number from \(range.lowerBound) to \(range.upperBound)."
            throw problem(key, "is \(value.noun)", remedy: remedy)
        }
        return number
    }

    /// A duration such as `30s`, `90m`, `24h` or `7d`; at most ten years.
    func duration(_ key: String) throws(ConfigurationProblem) -> Milliseconds? {
        guard let value = value(key) else { return nil }
        guard case .text(let text) = value.content, text.utf8.count <= 8, !text.hasSuffix("ms"),
            let duration = Milliseconds(spelled: text), duration <= .days(3660)
        else {
            throw problem(
                key, "is \(value.noun)",
                remedy: "Write a whole number of minutes, hours or days, such as \"90m\", \"24h\" or \"7d\".")
        }
        return duration
    }
}
