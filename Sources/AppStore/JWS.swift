internal import Foundation
internal import Scan

/// A JWS in compact form, its parts in place. Strict: three parts, base64url without padding, one way to write each.
struct JWS {
    let text: UnsafeRawBufferPointer
    let header: UnsafeRawBufferPointer
    /// What is signed: header, point and payload as they are written.
    let signed: UnsafeRawBufferPointer
    /// Decoded.
    let payload: [UInt8]
    let signature: UnsafeRawBufferPointer

    init(_ text: UnsafeRawBufferPointer) throws(LineReject) {
        let point = UInt8(ascii: ".")
        guard let first = text.position(of: point), let last = text.position(of: point, from: first + 1),
            text.position(of: point, from: last + 1) == nil
        else { throw LineReject(reason: "no JWS: that has three parts joined by points") }
        guard let payload = Parse.base64url(text.part(first + 1, last)) else {
            throw LineReject(reason: "no JWS: its payload is no base64url")
        }
        self.text = text
        self.payload = payload
        header = text.part(0, first)
        signed = text.part(0, last)
        signature = text.part(last + 1, text.count)
    }
}

/// What a JWS says about its own signature. RFC 7515 §4.
struct JWSHeader {
    var algorithm = ""
    /// `x5c` as written: at most four entries are kept, one more than is right.
    var certificates: [[UInt8]?] = []
    /// It names extensions that must be understood; none is known here. RFC 7515 §4.1.11, RFC 7797.
    var hasExtensions = false

    /// Nothing is larger among Apple's; a header may hold anything.
    private static let certificateTextMax = 65_536

    /// Throws a `LineReject` where the part is not base64url of one JSON object without repeated keys.
    init(_ part: UnsafeRawBufferPointer) throws {
        guard let bytes = Parse.base64url(part) else { throw LineReject(reason: "no JWS: its header is no base64url") }
        do {
            try bytes.withUnsafeBytes { bytes in
                try JSON.forEachMember(of: bytes) { key, value in
                    switch (key.string, value) {
                    case ("alg", .string(let text)): algorithm = text.string
                    case ("x5c", .array(let list)): certificates = try Self.certificates(list)
                    case ("crit", _), ("b64", _): hasExtensions = true
                    default: break
                    }
                }
            }
        } catch { throw LineReject(reason: "no JWS: its header is " + LineReject(error).reason) }
    }

    private static func certificates(_ list: UnsafeRawBufferPointer) throws -> [[UInt8]?] {
        var certificates: [[UInt8]?] = []
        try JSON.forEachElement(of: list) { entry in
            guard certificates.count < 4 else { return }
            guard case .string(let text) = entry, text.raw.count <= certificateTextMax else {
                return certificates.append(nil)
            }
            certificates.append(text.withUnescaped(Parse.base64))
        }
        return certificates
    }
}
