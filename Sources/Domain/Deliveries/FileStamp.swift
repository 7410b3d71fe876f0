/// What identifies a file on disk without reading it: with an unchanged stamp, the content is unchanged.
public struct FileStamp: Hashable, Sendable, Codable {
    /// The number of the device that holds the file.
    public var device: UInt64
    /// The file's number on that device.
    public var inode: UInt64
    public var bytes: Int64
    /// The modification time in nanoseconds since 1970.
    public var modified: Int64
    /// The change time in nanoseconds since 1970. Unlike the modification time, the file's owner cannot set it back.
    public var changed: Int64

    public init(device: UInt64, inode: UInt64, bytes: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.bytes = bytes
        self.modified = modified
        self.changed = changed
    }
}
