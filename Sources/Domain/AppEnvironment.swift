/// The App Store environment that a transaction belongs to. `other` is one this version does not know.
public enum AppEnvironment: UInt8, Sendable, CaseIterable {
    case production, sandbox, xcode, localTesting, other

    /// As Apple writes it.
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
