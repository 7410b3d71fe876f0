/// A value of a document that is being read: the bytes that represent it, not copied.
///
/// It is valid as long as the bytes of the document stay where they are.
@frozen
public enum JSONValue {
    /// The text between the quotes.
    case string(JSONText)
    /// The characters of a number. Its syntax is valid; its size is not limited.
    case number(UnsafeRawBufferPointer)
    case bool(Bool)
    case null
    /// An object with its braces. The syntax is valid. Read it with `JSONReader.forEachMember`.
    case object(UnsafeRawBufferPointer)
    /// An array with its brackets. The syntax is valid. Read it with `JSONReader.forEachElement`.
    case array(UnsafeRawBufferPointer)
}
