/// The App Store environment that a transaction belongs to. `other` stands for any environment that this version does
/// not know.
public enum AppEnvironment: UInt8, Sendable, CaseIterable {
    case production, sandbox, xcode, localTesting, other

    /// The word that Apple's records use.
    public var name: String {
        switch self {
        case .production: "Production"
        case .sandbox: "Sandbox"
        case .xcode: "Xcode"
        case .localTesting: "LocalTesting"
        case .other: "other"
        }
    }
}
