/// `path`, starting at `folder` unless it is absolute. Links and `..` are left for the system to follow.
func absolute(_ path: String, in folder: String) -> String {
    if path.hasPrefix("/") { return path }
    let relative = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return folder.hasSuffix("/") ? folder + relative : folder + "/" + relative
}

/// The folder that a file with an absolute path lies in.
func folderOf(_ path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
}
