/// Who has less than is owed.
public enum ShortParty: String, Sendable, Codable {
    case nobody = ""
    case customer, company
}
