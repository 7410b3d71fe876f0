/// What identifies a file on disk without reading it: unchanged stamp, unchanged content.
public struct FileStamp: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    public var bytes: Int64
    /// Nanoseconds since 1970; the change time cannot be set back by its owner.
    public var modified: Int64
    public var changed: Int64

    public init(device: UInt64, inode: UInt64, bytes: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.bytes = bytes
        self.modified = modified
        self.changed = changed
    }
}
