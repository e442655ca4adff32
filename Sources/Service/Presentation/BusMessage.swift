// sd-bus messages as Swift values: the variadic half of sd-bus cannot be called from Swift, so
// arguments are appended and read one basic value at a time. The rule: a pointer never leaves the
// call that it was handed to.

import CSystemd
package import Platform

extension SystemError {
    /// Throws when `result` is an error of sd-bus, which are negative errno numbers.
    package static func checkBus(_ result: Int32, _ doing: String) throws(SystemError) {
        guard result >= 0 else {
            throw SystemError(doing: doing, errno: Errno(code: -result))
        }
    }
}

/// A message under construction, owned here and released with this value.
@safe
package struct OutgoingBusMessage: ~Copyable {
    /// sd-bus's reference-counted message; this value holds one reference.
    package let pointer: OpaquePointer

    package init(taking pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe sd_bus_message_unref(pointer)
    }

    package borrowing func append(_ text: String) throws(SystemError) {
        // The pointer is valid for the closure, and sd-bus copies the text within it.
        let result = unsafe text.withCString {
            unsafe sd_bus_message_append_basic(pointer, BusType.string, $0)
        }
        try SystemError.checkBus(result, "appending a string")
    }

    package borrowing func append(_ number: UInt32) throws(SystemError) {
        try appendBytes(of: number, as: BusType.uint32)
    }

    package borrowing func append(_ number: Int32) throws(SystemError) {
        try appendBytes(of: number, as: BusType.int32)
    }

    package borrowing func append(byte: UInt8) throws(SystemError) {
        try appendBytes(of: byte, as: BusType.byte)
    }

    package borrowing func append(_ texts: [String]) throws(SystemError) {
        try open(BusType.array, "s")
        for text in texts {
            try append(text)
        }
        try close()
    }

    /// Opens an array, variant or dictionary entry; `contents` is its signature.
    package borrowing func open(_ type: CChar, _ contents: String) throws(SystemError) {
        try SystemError.checkBus(
            unsafe sd_bus_message_open_container(pointer, type, contents), "opening a container")
    }

    package borrowing func close() throws(SystemError) {
        try SystemError.checkBus(
            unsafe sd_bus_message_close_container(pointer), "closing a container")
    }

    private borrowing func appendBytes<Number: FixedWidthInteger>(of number: Number, as type: CChar)
        throws(SystemError)
    {
        // As for strings: sd-bus copies the value before the closure ends.
        let result = unsafe withUnsafePointer(to: number) {
            unsafe sd_bus_message_append_basic(pointer, type, $0)
        }
        try SystemError.checkBus(result, "appending a number")
    }
}

/// A message that has come in, valid during the callback that it was given to.
@safe
package struct IncomingBusMessage: ~Copyable {
    /// Borrowed from sd-bus, which keeps it alive until the callback returns.
    package let pointer: OpaquePointer

    package init(borrowing pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    package var sender: String {
        unsafe text(sd_bus_message_get_sender(pointer))
    }

    package var interface: String {
        unsafe text(sd_bus_message_get_interface(pointer))
    }

    package var member: String {
        unsafe text(sd_bus_message_get_member(pointer))
    }

    /// The D-Bus name of the error that this reply is; nil for any other message.
    package var errorName: String? {
        guard let error = unsafe sd_bus_message_get_error(pointer) else { return nil }
        return unsafe text(error.pointee.name)
    }

    package var replyCookie: UInt64? {
        var cookie: UInt64 = 0
        guard unsafe sd_bus_message_get_reply_cookie(pointer, &cookie) >= 0 else { return nil }
        return cookie
    }

    /// The next argument; nil when it is not a string.
    package borrowing func readString() -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_read_basic(pointer, BusType.string, &text) > 0 else {
            return nil
        }
        return unsafe text.map { unsafe String(cString: $0) }
    }

    package borrowing func readUInt32() -> UInt32? {
        var number: UInt32 = 0
        guard unsafe sd_bus_message_read_basic(pointer, BusType.uint32, &number) > 0 else {
            return nil
        }
        return number
    }

    package borrowing func readInt32() -> Int32? {
        var number: Int32 = 0
        guard unsafe sd_bus_message_read_basic(pointer, BusType.int32, &number) > 0 else {
            return nil
        }
        return number
    }

    package borrowing func readByte() -> UInt8? {
        var number: UInt8 = 0
        guard unsafe sd_bus_message_read_basic(pointer, BusType.byte, &number) > 0 else {
            return nil
        }
        return number
    }

    package borrowing func readStrings() -> [String]? {
        guard enter(BusType.array, "s") else { return nil }
        var strings: [String] = []
        while let string = readString() {
            strings.append(string)
        }
        leave()
        return strings
    }

    /// Enters a container; false at the end of the array around it, or when it is of another type.
    package borrowing func enter(_ type: CChar, _ contents: String) -> Bool {
        unsafe sd_bus_message_enter_container(pointer, type, contents) > 0
    }

    package borrowing func leave() {
        _ = unsafe sd_bus_message_exit_container(pointer)
    }

    /// Copies what sd-bus points to; empty for no pointer.
    private func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }
}

/// The type characters of D-Bus signatures, which sd-bus has as an untyped enumeration.
package enum BusType {
    package static let byte = CChar(UInt8(ascii: "y"))
    package static let int32 = CChar(UInt8(ascii: "i"))
    package static let uint32 = CChar(UInt8(ascii: "u"))
    package static let string = CChar(UInt8(ascii: "s"))
    package static let array = CChar(UInt8(ascii: "a"))
    package static let variant = CChar(UInt8(ascii: "v"))
    package static let dictionaryEntry = CChar(UInt8(ascii: "e"))
}
