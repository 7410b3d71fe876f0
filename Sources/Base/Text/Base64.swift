internal import Foundation

/// The bytes in base64url (RFC 4648 §5) without padding.
public func base64url(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

extension Parse {
    /// Decodes base64 (RFC 4648 §4). Nil unless the text is padded, canonical and free of other characters.
    public static func base64(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < min(2, text.count), text[text.count - 1 - padding] == UInt8(ascii: "=") { padding += 1 }
        return decode(text.part(0, text.count - padding), alphabet: standardAlphabet)
    }

    /// Decodes base64url (RFC 4648 §5). Nil unless the text is unpadded, canonical and free of other characters.
    public static func base64url(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        decode(text, alphabet: urlAlphabet)
    }

    /// Decodes `text`, which has no padding.
    private static func decode(_ text: UnsafeRawBufferPointer, alphabet: [UInt8]) -> [UInt8]? {
        let rest = text.count % 4
        guard rest != 1 else { return nil }
        let count = text.count / 4 * 3 + max(0, rest - 1)
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            var group: UInt32 = 0
            for index in 0..<text.count {
                let value = alphabet[Int(text[index])]
                isValid = isValid && value < 64
                group = group << 6 | UInt32(value)
                if index % 4 != 0 {
                    let surplus = UInt32(6 - index % 4 * 2)
                    output.initializeElement(at: initialized, to: UInt8(truncatingIfNeeded: group >> surplus))
                    initialized += 1
                }
            }
            // The bits of the last character beyond the last byte must be zero; otherwise two texts would decode to the
            // same bytes.
            let surplus: UInt32 = rest == 2 ? 0xF : rest == 3 ? 3 : 0
            isValid = isValid && group & surplus == 0
        }
        return isValid ? bytes : nil
    }

    private static let standardAlphabet = values(of: "+/")
    private static let urlAlphabet = values(of: "-_")

    /// The value of each byte as a base64 digit; 255 if it is none.
    private static func values(of lastTwo: String) -> [UInt8] {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        var table = [UInt8](repeating: 255, count: 256)
        for (value, byte) in (letters + letters.lowercased() + "0123456789" + lastTwo).utf8.enumerated() {
            table[Int(byte)] = UInt8(value)
        }
        return table
    }
}
