import DataChannels

/// How a link ends from this side.
extension RoomLink {
    /// How a link is closed: whether the other side is told, and what.
    enum Farewell: Sendable, Equatable {
        /// This side comes back by itself: nothing is said.
        case pausing
        case leaving
        case deleting
        /// Trust has ended; the other side gets the notice if it can be reached now.
        case revoking(notice: [UInt8])
    }

    func stop(_ farewell: Farewell) async {
        if farewell != .pausing, state == .connected {
            if case .revoking(let notice) = farewell {
                await setting.conversation.send(.sealing(notice))
                // It is said once: afterwards nobody here can be found any more.
                await closeMessages(within: .seconds(10))
            } else {
                await setting.conversation.say(.goodbye(forever: farewell == .deleting))
                await closeMessages(within: .seconds(1))
            }
        }
        await feed(.stop)
    }

    /// The channel is closed on both sides once everything has arrived, the goodbye too. Somebody who does not answer is
    /// not waited for long.
    private func closeMessages(within limit: Duration) async {
        guard let channel = channels[.messages] else { return }
        channel.close()
        let end = ContinuousClock.now + limit
        while channel.state != .closed, ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
