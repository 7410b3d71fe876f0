/// Texts that only pages use, at `page.…` in the templates.
enum PageLabel: String, CaseIterable {
    case worth, carried, rest, search, searchHint = "search_hint", noScript = "no_script", searchNote = "search_note",
        told
    case nothingFound = "nothing_found", found
}

extension Texts {
    func page(_ label: PageLabel, _ values: String...) -> String { filled(word("page." + label.rawValue), values) }
}
