/// A system call on one of the sample's files failed.
public struct SampleError: Error, Equatable, Sendable {
    public enum Task: String, Sendable { case create, write, rename }

    public var task: Task
    public var path: String
    /// `errno` after the call.
    public var code: Int32
}
