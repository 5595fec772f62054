internal import Errors

/// Frames in messages of the channel, and back. A message is one byte, 1 if the frame goes on and 0 if it ends here, and a piece of the frame.
/// The channel keeps the order. A plain value, in bounded memory.
package struct SharingParts: Sendable {
    private static let goesOn: UInt8 = 1
    private static let ends: UInt8 = 0

    private var pending: [UInt8] = []
    private var isPassingOver = false

    package init() {}

    /// Bytes that wait for the end of their frame.
    package var heldBytes: Int { pending.count }

    /// A frame as messages.
    package static func messages(of frame: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var rest = frame[...]
        repeat {
            let piece = rest.prefix(SharingLimits.messageBytes)
            rest = rest.dropFirst(piece.count)
            messages.append([rest.isEmpty ? ends : goesOn] + piece)
        } while !rest.isEmpty
        return messages
    }

    /// Takes a message.
    /// - Returns: the frame that it ends; nil if there is none yet.
    /// - Throws: `malformed` for a message that is none, `tooLong` at the end of a frame beyond ``SharingLimits/frameBytes``.
    package mutating func add(_ message: [UInt8]) throws(AgentProtocolError) -> [UInt8]? {
        guard let first = message.first, first <= Self.goesOn, message.count - 1 <= SharingLimits.messageBytes else {
            clear()
            throw AgentProtocolError(.malformed, "a message of the channel of agents is none")
        }
        if !isPassingOver {
            isPassingOver = pending.count + message.count - 1 > SharingLimits.frameBytes
            if isPassingOver { pending = [] } else { pending += message.dropFirst() }
        }
        guard first == Self.ends else { return nil }
        defer { clear() }
        guard !isPassingOver else { throw AgentProtocolError(.tooLong, "a frame of the channel of agents is too long") }
        return pending
    }

    /// Forgets what has begun: the connection is another one.
    package mutating func clear() { (pending, isPassingOver) = ([], false) }
}
