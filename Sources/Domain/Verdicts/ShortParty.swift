public enum ShortParty: String, Sendable, Codable {
    case nobody = ""
    case customer, company
}
