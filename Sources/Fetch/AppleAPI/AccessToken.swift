/// Who asks Apple: a key of App Store Connect and its ids.
struct Credentials {
    /// The issuer's id: Users and Access, Integrations.
    var issuerID: String
    var keyID: String
    var key: PrivateKey
}

/// A JSON Web Token by which Apple knows who asks. See docs/spec/app-store.md#apple-token.
struct AccessToken {
    let text: String
    private let issued: Instant

    /// Apple's limit for some of its interfaces.
    private static let life = Milliseconds.minutes(20)
    /// The clock of this machine may be a little ahead of Apple's.
    private static let margin = Milliseconds.minutes(1)

    /// A token for one app; `bundle` is nil for the interfaces of App Store Connect.
    init(_ credentials: Credentials, bundle: String?, now: Instant) {
        issued = now
        let seconds = (now.milliseconds - Self.margin.count) / 1000
        let header: JSON = .object(["alg": .text("ES256"), "kid": .text(credentials.keyID), "typ": .text("JWT")])
        var claims: [String: JSON] = [
            "iss": .text(credentials.issuerID), "iat": .number(seconds),
            "exp": .number(seconds + Self.life.count / 1000), "aud": .text("appstoreconnect-v1"),
        ]
        claims["bid"] = bundle.map { .text($0) }
        let signed = [header, .object(claims)].map { base64url(Array($0.line.utf8)) }.joined(separator: ".")
        text = signed + "." + base64url(credentials.key.signature(of: signed))
    }

    /// Whether it can still be used: for two minutes less than its life, or if the clock was set back.
    func isFresh(at now: Instant) -> Bool {
        now >= issued && now < issued + Milliseconds(Self.life.count - 3 * Self.margin.count)
    }
}
