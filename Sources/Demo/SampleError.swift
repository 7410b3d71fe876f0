/// A system call on one of the sample's files failed.
public struct SampleError: Error, Equatable, Sendable {
    /// The kind of system call.
    public enum Task: String, Sendable { case create, write, rename }

    /// The call that failed.
    public var task: Task
    /// The file's path.
    public var path: String
    /// `errno` after the call.
    public var code: Int32
}
