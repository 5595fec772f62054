/// Big-endian numbers and chunks in an array, for what is rarely sent.
extension [UInt8] {
    mutating func put(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    mutating func put(_ value: UInt32) {
        put(UInt16(truncatingIfNeeded: value >> 16))
        put(UInt16(truncatingIfNeeded: value))
    }

    mutating func put(_ value: UInt64) {
        put(UInt32(truncatingIfNeeded: value >> 32))
        put(UInt32(truncatingIfNeeded: value))
    }

    /// A chunk with its length; padded.
    static func chunk(_ type: UInt16, flags: UInt8 = 0, _ body: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(truncatingIfNeeded: type), flags]
        bytes.put(UInt16(clamping: body.count + 4))
        bytes += body
        bytes.pad()
        return bytes
    }

    /// Adds a parameter, or an error cause, with its length; padded.
    mutating func put(parameter type: UInt16, _ body: [UInt8] = []) {
        put(type)
        put(UInt16(clamping: body.count + 4))
        self += body
        pad()
    }

    /// Fills up to a multiple of four.
    mutating func pad() { while count % 4 != 0 { append(0) } }

    static func cause(_ code: UInt16, _ body: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.put(parameter: code, body)
        return bytes
    }
}
