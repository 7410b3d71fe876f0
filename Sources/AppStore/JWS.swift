/// A JWS in compact serialization (RFC 7515 §7.1). The parts point into the text. Parsing is strict: exactly three
/// parts, base64url without padding, and only the canonical encoding of each value.
struct JWS {
    /// The whole JWS.
    let text: UnsafeRawBufferPointer
    /// The first part, still encoded.
    let header: UnsafeRawBufferPointer
    /// The signing input: header, period and payload as they are written.
    let signed: UnsafeRawBufferPointer
    /// The payload, decoded.
    let payload: [UInt8]
    /// The third part, still encoded.
    let signature: UnsafeRawBufferPointer

    /// Throws if `text` is not in compact serialization. Nothing is verified.
    init(_ text: UnsafeRawBufferPointer) throws(LineReject) {
        let point = UInt8(ascii: ".")
        guard let first = text.position(of: point), let last = text.position(of: point, from: first + 1),
            text.position(of: point, from: last + 1) == nil
        else { throw LineReject(reason: "not a JWS: a JWS has three parts separated by periods") }
        guard let payload = Parse.base64url(text.part(first + 1, last)) else {
            throw LineReject(reason: "not a JWS: its payload is not base64url")
        }
        self.text = text
        self.payload = payload
        header = text.part(0, first)
        signed = text.part(0, last)
        signature = text.part(last + 1, text.count)
    }
}

/// What a JWS says about its own signature: the JOSE header. RFC 7515 §4.
struct JWSHeader {
    /// The header's `alg`.
    var algorithm = ""
    /// The certificates of `x5c`; an entry that is not base64 is nil. At most four are kept, one more than is correct.
    var certificates: [[UInt8]?] = []
    /// Whether the header has `crit` or `b64`, extensions that must be understood; this version supports none.
    /// RFC 7515 §4.1.11, RFC 7797.
    var hasExtensions = false

    /// Longer certificates are not decoded. Apple's are far smaller, but a forged header may contain anything.
    private static let certificateTextMax = 65_536

    /// Throws a `LineReject` if the part is not base64url of a single JSON object without repeated keys.
    init(_ part: UnsafeRawBufferPointer) throws {
        guard let bytes = Parse.base64url(part) else {
            throw LineReject(reason: "not a JWS: its header is not base64url")
        }
        do {
            try bytes.withUnsafeBytes { bytes in
                try JSONReader.forEachMember(of: bytes) { key, value in
                    switch (key.string, value) {
                    case ("alg", .string(let text)): algorithm = text.string
                    case ("x5c", .array(let list)): certificates = try Self.certificates(list)
                    case ("crit", _), ("b64", _): hasExtensions = true
                    default: break
                    }
                }
            }
        } catch { throw LineReject(reason: "not a JWS: its header is " + LineReject(error).reason) }
    }

    private static func certificates(_ list: UnsafeRawBufferPointer) throws -> [[UInt8]?] {
        var certificates: [[UInt8]?] = []
        try JSONReader.forEachElement(of: list) { entry in
            guard certificates.count < 4 else { return }
            guard case .string(let text) = entry, text.raw.count <= certificateTextMax else {
                return certificates.append(nil)
            }
            certificates.append(text.withUnescaped(Parse.base64))
        }
        return certificates
    }
}
