/// Writes WebSocket frames (RFC 6455 section 5.2), each message in one.
package enum WebSocketWriter {
    /// One message in one frame (RFC 6455 section 5.2).
    package static func message(_ message: WebSocketMessage, isMasked: Bool) -> [UInt8] {
        switch message {
        case .text(var text): text.withUTF8 { frame(.text, UnsafeRawBufferPointer($0), isMasked: isMasked) }
        case .binary(let bytes): bytes.withUnsafeBytes { frame(.binary, $0, isMasked: isMasked) }
        }
    }

    static func close(_ code: WebSocketCloseCode, _ reason: String, isMasked: Bool) -> [UInt8] {
        // A control frame carries at most 125 bytes, two of them the code.
        var text = Array(reason.utf8.prefix(123))
        while !text.isEmpty, String(validating: text, as: UTF8.self) == nil { text.removeLast() }
        let payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xff)] + text
        return control(.close, payload, isMasked: isMasked)
    }

    static func control(_ opcode: WebSocketOpcode, _ payload: [UInt8], isMasked: Bool) -> [UInt8] {
        payload.withUnsafeBytes { frame(opcode, $0, isMasked: isMasked) }
    }

    private static func frame(_ opcode: WebSocketOpcode, _ payload: UnsafeRawBufferPointer, isMasked: Bool) -> [UInt8] {
        var frame: [UInt8] = []
        frame.reserveCapacity(payload.count + 14)
        frame.append(0x80 | opcode.rawValue)
        let mask: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: frame.append(mask | UInt8(payload.count))
        case ..<65_536:
            frame.append(mask | 126)
            frame += [UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        default:
            frame.append(mask | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard isMasked else {
            frame.append(contentsOf: payload)
            return frame
        }
        let key = withUnsafeBytes(of: UInt32.random(in: 0...UInt32.max)) { Array($0) }
        frame += key
        for (index, byte) in payload.enumerated() { frame.append(byte ^ key[index & 3]) }
        return frame
    }
}
