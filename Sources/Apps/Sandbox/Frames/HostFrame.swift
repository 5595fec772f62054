internal import ComponentRuntime
internal import Components
internal import Wire

/// What the host says to a confined component.
enum HostFrame: Hashable, Sendable {
    /// Once, first.
    case launch(ComponentLaunch)
    case message(PortMessage)
    /// Asks for a sign of life.
    case ping
    case stop

    private enum Sort: UInt8 {
        case launch = 1, message, ping, stop
    }

    var encoded: [UInt8] {
        switch self {
        case .launch(let launch):
            let body = launch.encoded
            var frame = FrameWriter(Sort.launch.rawValue, capacity: body.count)
            frame.write(rest: body)
            return frame.bytes
        case .message(let message): return message.frame(Sort.message.rawValue)
        case .ping: return FrameWriter(Sort.ping.rawValue).bytes
        case .stop: return FrameWriter(Sort.stop.rawValue).bytes
        }
    }

    init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        switch Sort(rawValue: try reader.readByte()) {
        case .launch: self = .launch(try ComponentLaunch(reading: &reader))
        case .message: self = .message(try PortMessage(reading: &reader))
        case .ping: self = .ping
        case .stop: self = .stop
        case nil: throw WireError(.malformed, "the frame is of an unknown sort")
        }
        try reader.expectEnd()
    }
}
