/// Waiting for the other side under an id that was reserved.
extension Meeting {
    private enum Event: Sendable {
        case news(RoomWatcher.News)
        case look
    }

    /// The server reports when the other side comes; from time to time this side also checks.
    /// - Returns: nil if the period is over, or the server no longer knows the id.
    mutating func wait(
        in period: MeetingPeriod, _ id: String, _ ticket: String
    ) async throws(RoomsFailure) -> FoundRoom? {
        let (events, happen) = AsyncStream<Event>.makeStream()
        let device = attempt?.device ?? ""
        let subject = RoomWatcher.Subject(joinID: id, device: device, ticket: ticket, server: server)
        let watcher = RoomWatcher(subject, network: network) { happen.yield(.news($0)) }
        watcher.start()
        defer { watcher.stop() }
        var isWatched = false
        var looks = BackOff(first: pace.firstLook, longest: pace.longestLook)
        var rest = looks.next(jitter: .random(in: 0...1))
        var alarm = look(after: rest, happen)
        var due = ContinuousClock.now + rest
        defer { alarm.cancel() }

        for await event in events {
            switch event {
            case .news(.accepted(let room)): return found(room, device, ticket)
            case .news(.ended): return nil
            case .news(.watching(let on)):
                isWatched = on
                let soon = ContinuousClock.now + pace.longestUnwatchedLook
                guard !on, due > soon else { continue }
                alarm.cancel()
                alarm = look(after: pace.longestUnwatchedLook, happen)
                due = soon
            case .look:
                guard MeetingPeriod(at: pace.now()) == period else { return nil }
                do throws(RoomsFailure) {
                    if let room = try await client.check(digits: id, device: device, ticket: ticket) {
                        return found(room, device, ticket)
                    }
                    trouble(nil)
                    if let found = try await enterNeighbour(of: period) { return found }
                    // Both sides were in each other's room, so the reservations are gone.
                    guard attempt?.ticket != nil else { return nil }
                } catch {
                    // The watcher reconnects when the server is back.
                    guard error.isRetryable else { return nil }
                    trouble(error)
                }
                rest = looks.next(jitter: .random(in: 0...1))
                if !isWatched { rest = min(rest, pace.longestUnwatchedLook) }
                alarm.cancel()
                alarm = look(after: rest, happen)
                due = .now + rest
            }
        }
        return nil
    }

    private func found(_ room: String, _ device: String, _ ticket: String) -> FoundRoom {
        FoundRoom(room: MetRoom(role: .initiator, device: device, serverRoom: room), ticket: ticket)
    }

    private func look(after rest: Duration, _ happen: AsyncStream<Event>.Continuation) -> Task<Void, Never> {
        // Not beyond the end of the period, whose length is real time.
        let left = Duration.milliseconds(MeetingPeriod(at: pace.now()).remaining(at: pace.now()) + 1)
        return Task {
            if (try? await Task.sleep(for: min(rest, left))) != nil { happen.yield(.look) }
        }
    }
}
