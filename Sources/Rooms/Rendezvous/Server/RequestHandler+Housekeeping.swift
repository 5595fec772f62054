internal import Synchronization
internal import Wire

/// Periodic work.
extension RequestHandler {
    /// How often expired codes and idle rooms are looked for, in milliseconds.
    static let sweepInterval: Timestamp = 60_000
    /// How often rooms with connected clients are marked as used, in milliseconds.
    static let touchInterval: Timestamp = 3_600_000
    /// How many codes or rooms the store handles at once, so that requests can be served in between.
    static let slice = 500

    /// Runs until it is cancelled.
    func performMaintenance() async {
        var (lastSweep, lastTouch) = (environment.now(), environment.now())
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let now = environment.now()
            endWatches(now: now)
            beat()
            if now >= lastTouch + Self.touchInterval {
                lastTouch = now
                touchLiveRooms(now: now)
            }
            if now >= lastSweep + Self.sweepInterval {
                lastSweep = now
                sweep(now: now)
            }
        }
    }

    func touchLiveRooms(now: Timestamp) {
        let rooms = state.withLock { Array($0.router.rooms.keys) }
        for start in stride(from: 0, to: rooms.count, by: Self.slice) {
            let slice = Array(rooms[start..<min(start + Self.slice, rooms.count)])
            _ = decide({ try $0.touch(rooms: slice, now: now) }) { _ in }
        }
    }

    func sweep(now: Timestamp) {
        state.withLock { $0.gate.sweep(now: now) }
        sweepStore(now: now)
    }

    private func sweepStore(now: Timestamp) {
        let idleSince = now - configuration.limits.idleRoomLifetime.milliseconds
        _ = decide({ try $0.sweep(now: now, idleSince: idleSince, limit: Self.slice) }) { [self] removed in
            guard let removed, !removed.isEmpty else { return }
            state.withLock { $0.gate.removed(removed.codes) }
            let counts: JSONObject = [
                "rooms": .number(String(removed.rooms.count)), "codes": .number(String(removed.codes.count)),
            ]
            log.log("swept", counts)
            update { $0.removed(removed, reason: "expired") }
            link?.broadcast(.removed(removed, reason: "expired"))
            if max(removed.rooms.count, removed.codes.count) >= Self.slice { sweepStore(now: now) }
        }
    }
}
