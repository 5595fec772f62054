import DataChannels

/// How this side ends a link.
extension RoomLink {
    /// How a link is closed, and what the other side is told.
    enum Farewell: Sendable, Equatable {
        /// This side will come back: the other side is told nothing.
        case pausing
        case leaving
        case deleting
        /// Trust was revoked; the other side gets the notice if it can be reached now.
        case revoking(notice: [UInt8])
    }

    func stop(_ farewell: Farewell) async {
        if farewell != .pausing, state == .connected {
            if case .revoking(let notice) = farewell {
                await setting.conversation.send(.sealing(notice))
                // It is sent once; afterwards this side cannot be found any more.
                await closeMessages(within: .seconds(10))
            } else {
                await setting.conversation.say(.goodbye(forever: farewell == .deleting))
                await closeMessages(within: .seconds(1))
            }
        }
        await feed(.stop)
    }

    /// The channel is closed on both sides once everything has arrived, including the goodbye. The wait for the other
    /// side is short.
    private func closeMessages(within limit: Duration) async {
        guard let channel = channels[.messages] else { return }
        channel.close()
        let end = ContinuousClock.now + limit
        while channel.state != .closed, ContinuousClock.now < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
