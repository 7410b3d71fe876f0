import Base

/// Calls the closure with the bytes of `text`.
func bytes<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try Array(text.utf8).withUnsafeBytes(body)
}

/// A JSON value as a tree, for comparing.
indirect enum Tree: Equatable {
    case string(String), number(Double), bool(Bool), null
    case object([String: Tree]), array([Tree])
}

struct NumberTooLarge: Error {}

/// The document as a tree, read with JSONReader alone.
func tree(of bytes: UnsafeRawBufferPointer) throws -> Tree {
    func tree(_ value: JSONValue) throws -> Tree {
        switch value {
        case .string(let text): return .string(text.string)
        case .number(let bytes):
            let number = Double(String(decoding: bytes, as: UTF8.self))!
            // Valid JSON, but Foundation does not read it.
            guard number.isFinite else { throw NumberTooLarge() }
            return .number(number)
        case .bool(let flag): return .bool(flag)
        case .null: return .null
        case .object(let bytes):
            var members: [String: Tree] = [:]
            try JSONReader.forEachMember(of: bytes) { members[$0.string] = try tree($1) }
            return .object(members)
        case .array(let bytes):
            var elements: [Tree] = []
            try JSONReader.forEachElement(of: bytes) { elements.append(try tree($0)) }
            return .array(elements)
        }
    }
    return try tree(.object(bytes))
}

func tree(of text: [UInt8]) throws -> Tree { try text.withUnsafeBytes(tree(of:)) }
func tree(of text: String) throws -> Tree { try tree(of: Array(text.utf8)) }
