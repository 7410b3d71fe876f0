/// The absolute form of `path`, which is relative to `folder`, with a single `/` between names and without `.`. Links and
/// `..` are left to the system.
public func absolute(_ path: String, in folder: String) -> String {
    let whole = path.hasPrefix("/") ? path : folder + "/" + path
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
}

/// The folder of a file whose path is absolute.
public func folderOf(_ path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
}
