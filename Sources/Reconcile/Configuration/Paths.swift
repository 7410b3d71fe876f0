/// `path`, starting at `folder` unless it is absolute, with one `/` between names. Links and `..` are left for the system
/// to follow.
func absolute(_ path: String, in folder: String) -> String {
    let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    let whole = path.hasPrefix("/") ? path : folder + "/" + relative
    return "/" + whole.split(separator: "/").joined(separator: "/")
}

/// The folder that a file with an absolute path lies in.
func folderOf(_ path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
}
