import DataChannels

/// What agents say, over their own channel. Like the bytes of files it is protected only by DTLS, between sides that verified the connection.
extension Conversation {
    func sendAgents(_ messages: [[UInt8]]) -> Bool {
        let isTaken = agents.send(messages)
        pumpAgents()
        return isTaken
    }

    /// Takes bytes from the channel of agents.
    func received(agent bytes: [UInt8]) { agents.received(bytes) }

    /// Fills the channel up to its high-water mark, and continues when it has drained.
    func pumpAgents() {
        guard let channel = channels[.agents] else { return }
        while channel.bufferedAmount < AgentChannelLimits.highWater, let message = agents.next {
            // It is full and will drain, or it is about to close, and the next connection begins anew.
            do { try channel.send(message) } catch { return }
            agents.sent()
        }
    }
}

extension RoomsService {
    /// Sends messages about agents to the other side, in order. ``RoomReport/agentChannel(room:isOpen:)`` says when that is possible.
    /// - Returns: false if they were not taken; none of them was.
    package func sendAgents(_ messages: [[UInt8]], in room: String) async -> Bool {
        await conversations[room]?.sendAgents(messages) ?? false
    }
}
