internal import Glibc

/// Nil if the descriptor is not a terminal, or the terminal does not know its width.
public func terminalColumns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : nil
}
