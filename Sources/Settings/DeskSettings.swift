/// Settings of the desk's page. See docs/spec/interfaces.md#desk.
public struct DeskSettings: Sendable, Equatable {
    /// The folder for the records of look-ups, absolute.
    public var folder: String
    /// Whether a person at this machine may use the page without a login, to try it.
    public var allowsAnonymous = false
    /// The users who see masked accounts and tokens.
    public var masked: Set<String> = []
    /// The users who may record on the page that they gave goods by hand.
    public var givers: Set<String> = []
}
