/// The answers as a self-contained page.
public func lookupPage(_ answers: [LookupAnswer], zone: Zone, texts: Texts) -> String {
    let identifiers = answers.map(\.shownIdentifier).joined(separator: texts.label(.nameSeparator))
    let page = HTMLPage(title: identifiers, language: texts.language)
    var html = HTML()
    for answer in answers.eachOnce { html.add(answer, zone: zone, texts: texts) }
    return page.head + html.source + page.foot
}

/// Whether a file that begins with this text is such a page, written by any version.
public func isLookupPage(beginning: String) -> Bool {
    let rest = beginning.split(
        separator: "<meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"", maxSplits: 1)
    guard beginning.hasPrefix("<!DOCTYPE html>\n<html lang="), rest.count == 2 else { return false }
    let policy = rest[1].prefix { $0 != "\"" }
    return policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("script-src")
}

extension HTML {
    /// Adds the answer to one query.
    /// - Parameter reader: the user who reads it.
    /// - Parameter mayGive: whether that user may record that goods are given.
    /// - Parameter place: where it stands.
    /// - Parameter level: that of its heading. A page has one of the first.
    /// - Parameter beside: adds to the line that says whether the goods may be given.
    /// - Parameter below: adds to the advice.
    /// - Parameter open: adds what opens a purchase of a list; nil for its id alone.
    /// - Parameter further: adds to the part of a subject, at its end.
    mutating func add(
        _ answer: LookupAnswer, zone: Zone, texts: Texts, reader: String? = nil, mayGive: Bool = true,
        at place: LookupPlace = .text, level: Int = 1,
        open: ((String, inout HTML) -> Void)? = nil, beside: (LookupSubject, inout HTML) -> Void = { _, _ in },
        below: (LookupSubject, inout HTML) -> Void = { _, _ in },
        further: (LookupSubject, inout HTML) -> Void = { _, _ in }
    ) {
        if !answer.identifier.isEmpty { element("h\(level)", answer.shownIdentifier) }
        let warnings = answer.warnings(texts).count
        for (index, paragraph) in answer.introduction(zone: zone, texts: texts).enumerated() {
            element("p", class: index < warnings ? "alarm" : "dim", paragraph)
        }
        if !answer.near.isEmpty {
            pairs(answer.near.map { LabelledText(label: texts.lookup(.kind, code: $0.kind.rawValue), text: $0.id) })
        }
        for subject in answer.shownInFull {
            element("section") { html in
                let orders = answer.possibleOrders(of: subject)
                let words = LookupWording(
                    subject, possibleOrders: orders, zone: zone, texts: texts, reader: reader, mayGive: mayGive,
                    at: place)
                html.add(words, level: level + 1, beside: { beside(subject, &$0) }, below: { below(subject, &$0) })
                further(subject, &html)
            }
        }
        let rows = answer.listRows(zone: zone, texts: texts)
        if !rows.isEmpty {
            element("section") { html in
                // What may be the customer's stands behind what is.
                if !answer.subjects.isEmpty { html.element("h\(level + 1)", texts.lookup(.unownedList)) }
                html.list(LookupAnswer.listColumns(texts), rows, open: open)
            }
        }
        if let settled = answer.settled(zone: zone, texts: texts) {
            element("h\(level + 1)", settled.heading)
            pairs(settled.lines)
        }
        if answer.subjectsMore > 0 { element("p", texts.lookup(.subjectsMore, String(answer.subjectsMore))) }
    }

    /// A table whose first cell opens what the row is about, if it can be opened.
    mutating func list(
        _ columns: [String], _ rows: [(id: String, cells: [String])], open: ((String, inout HTML) -> Void)?
    ) {
        table(of: rows) { html in
            for column in columns { html.element("th", [("scope", "col")]) { $0.text(column) } }
        } row: { row, html in
            html.element("td", [("data-title", columns[0])]) { html in
                open.map { $0(row.id, &html) } ?? html.text(row.id)
            }
            for (title, cell) in zip(columns.dropFirst(), row.cells) {
                html.element("td", [("data-title", title)]) { $0.text(cell) }
            }
        }
    }

    private mutating func add(
        _ words: LookupWording, level: Int, beside: (inout HTML) -> Void, below: (inout HTML) -> Void
    ) {
        element("h\(level)", words.title)
        element(
            "p",
            class: words.isNotNeeded
                ? "safe" : words.isPlainYes ? "safe yes" : words.isSafe || words.isOwn ? "safe wait" : "safe no",
            words.safetyLine)
        for caution in words.cautions { element("p", class: "alarm", caution) }
        beside(&self)
        pairs(words.advice)
        below(&self)
        for section in words.sections {
            element("h\(level + 1)", section.heading)
            pairs(section.lines)
        }
    }
}
