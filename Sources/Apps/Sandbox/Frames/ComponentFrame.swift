internal import ComponentRuntime
package import Components
package import Wire

/// What a confined component says to the host. The host believes nothing of it that could harm anybody else.
package enum ComponentFrame: Hashable, Sendable {
    /// The engine is loaded and the filter stands: the launch may come.
    case ready
    /// The component's code ran up to its first `await`.
    case started
    case refused(ComponentError)
    case event(ComponentEvent)
    /// A sign of life, from the thread of the script.
    case pong

    private enum Sort: UInt8 {
        case ready = 1, started, refused, message, console, uncaught, stopped, crashed, exceeded, hung, pong
    }

    package var encoded: [UInt8] {
        switch self {
        case .ready: FrameWriter(Sort.ready.rawValue).bytes
        case .started: FrameWriter(Sort.started.rawValue).bytes
        case .refused(let error): frame(.refused, error.code.rawValue, error.message)
        case .event(.message(let message)): message.frame(Sort.message.rawValue)
        case .event(.console(let level, let text)): frame(.console, level, text)
        case .event(.uncaught(let text)): frame(.uncaught, text)
        case .event(.ended(.stopped)): frame(.stopped)
        case .event(.ended(.crashed(let text))): frame(.crashed, text)
        case .event(.ended(.exceeded(let text))): frame(.exceeded, text)
        case .event(.ended(.hung)): frame(.hung)
        case .pong: FrameWriter(Sort.pong.rawValue).bytes
        }
    }

    private func frame(_ sort: Sort, _ texts: String...) -> [UInt8] {
        var frame = FrameWriter(sort.rawValue, capacity: texts.reduce(0) { $0 + FrameWriter.size(of: $1) })
        for text in texts { frame.write(text) }
        return frame.bytes
    }

    package init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(bytes)
        switch Sort(rawValue: try reader.readByte()) {
        case .ready: self = .ready
        case .started: self = .started
        case .refused:
            let code = ComponentError.Code(rawValue: try reader.readText()) ?? .invalidCode
            self = .refused(ComponentError(code, try reader.readText()))
        case .message: self = .event(.message(try PortMessage(reading: &reader)))
        case .console: self = .event(.console(level: try reader.readText(), text: try reader.readText()))
        case .uncaught: self = .event(.uncaught(try reader.readText()))
        case .stopped: self = .event(.ended(.stopped))
        case .crashed: self = .event(.ended(.crashed(try reader.readText())))
        case .exceeded: self = .event(.ended(.exceeded(try reader.readText())))
        case .hung: self = .event(.ended(.hung))
        case .pong: self = .pong
        case nil: throw WireError(.malformed, "the frame is of an unknown sort")
        }
        try reader.expectEnd()
    }
}
