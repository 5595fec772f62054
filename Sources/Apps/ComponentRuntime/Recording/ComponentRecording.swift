package import Components
package import Wire

/// A run of a component: what it was started with, what it was brought, and what it sent, in order.
///
/// A file of frames, each with four bytes of length and four of checksum, that only grows. What a crash left of the last
/// one is not read.
package struct ComponentRecording: Sendable {
    /// With the clock and the seed that the run began with.
    package var launch: ComponentLaunch
    package var entries: [Entry]
    /// Whether it ends before the run did: the file had its size, or its rest is damaged.
    package var isCut = false

    package enum Entry: Hashable, Sendable {
        case delivered(PortMessage)
        case sent(PortMessage)
        case ended(String)
    }

    /// Whether a file with these bytes at its beginning is meant to be one.
    package static func isRecording(_ bytes: [UInt8]) -> Bool { bytes.starts(with: RecordingFormat.magic) }

    /// Reads a recording.
    package init(_ bytes: [UInt8]) throws(WireError) {
        var reader = ByteReader(bytes)
        guard try reader.readSlice(RecordingFormat.magic.count).elementsEqual(RecordingFormat.magic) else {
            throw WireError(.malformed, "this is no recording of a component, or one of another version")
        }
        guard let header = RecordingFormat.nextFrame(&reader), header.first == RecordingFormat.launch else {
            throw WireError(.truncated, "the recording has no beginning")
        }
        var content = ByteReader(header.dropFirst())
        launch = try ComponentLaunch(reading: &content)
        entries = []
        while !reader.isAtEnd {
            guard let frame = RecordingFormat.nextFrame(&reader) else {
                isCut = true
                return
            }
            var content = ByteReader(frame)
            switch try content.readByte() {
            case RecordingFormat.delivered: entries.append(.delivered(try PortMessage(reading: &content)))
            case RecordingFormat.sent: entries.append(.sent(try PortMessage(reading: &content)))
            case RecordingFormat.ended: entries.append(.ended(try content.readText()))
            case RecordingFormat.cut: isCut = true
            default: throw WireError(.malformed, "the recording has an entry of an unknown sort")
            }
        }
    }
}

/// The bytes of a recording.
enum RecordingFormat {
    static let magic = Array("alcove component recording 1\n".utf8)
    static let launch: UInt8 = 1
    static let delivered: UInt8 = 2
    static let sent: UInt8 = 3
    static let ended: UInt8 = 4
    static let cut: UInt8 = 5

    static func frame(_ body: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: body.count + 8)
        writer.writeInteger(UInt32(truncatingIfNeeded: body.count))
        writer.writeInteger(checksum(body[...]))
        writer.writeBytes(body)
        return writer.bytes
    }

    /// The next whole frame that is what was written; `nil` at the end, and where a crash cut the file off.
    static func nextFrame(_ reader: inout ByteReader) -> ArraySlice<UInt8>? {
        guard let length = try? reader.readInteger(UInt32.self), let sum = try? reader.readInteger(UInt32.self),
            length >= 1, let body = try? reader.readSlice(Int(length)), checksum(body) == sum
        else { return nil }
        return body
    }

    static func entry(_ sort: UInt8, _ message: PortMessage) -> [UInt8] {
        // The same as over a socket, without the length in front.
        Array(message.frame(sort).dropFirst(4))
    }

    /// FNV-1a, 32 bits: it has to tell what was cut off, not who wrote it.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
