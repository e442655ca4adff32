// The terminal that a program prints to, if it is one.

import Glibc

extension StandardStream {
    /// The columns of the terminal (ioctl TIOCGWINSZ); nil when it is none or does not say.
    package var terminalColumns: Int? {
        // struct winsize: rows, columns, and the size in pixels; its own type is not importable.
        var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
        let result = unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size)
        return result == 0 && size.columns > 0 ? Int(size.columns) : nil
    }
}
