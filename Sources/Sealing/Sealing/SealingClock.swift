internal import Platform
internal import Storage

/// Decides when keys are destroyed.
///
/// A clock may be wrong at times: a battery is empty, a machine is restored, a time server lies. So one reading alone
/// never destroys keys. Two other measures have to agree: the number of days on which this profile was used, which one
/// reading changes by at most one, and the other side's clock, as in its latest signature.
struct SealingClock: Sendable {
    /// This machine's clock, in milliseconds since 1970.
    let wall: Int64
    /// When the other side signed its newest keys, by its clock, and at most ``SealingLimits/peerClockLead`` after
    /// ``wall``: it could sign any time, and keys made by it would never expire. Nil if none are known.
    let peer: Int64?
    /// How many different days this profile was used on.
    let days: Int64

    init(wall: Int64, peer: Int64?, days: Int64) {
        (self.wall, self.days) = (wall, days)
        let (bound, isBeyond) = wall.addingReportingOverflow(SealingLimits.peerClockLead)
        self.peer = peer.map { min($0, isBeyond ? .max : bound) }
    }

    /// The later of both clocks. New keys take their time from it, so that a slow clock does not make keys that have
    /// already expired. It is never used as the time of signing, because the other side would then see its own clock.
    var latest: Int64 { min(max(wall, peer ?? wall), Int64.max - SealingLimits.lifetime) }

    /// Whether every message that was sealed before `notAfter` has had time to arrive.
    /// - Parameter began: how many days had been counted when the keys were made.
    func isOver(_ notAfter: Int64, began: Int64) -> Bool {
        guard wall - notAfter > SealingLimits.grace else { return false }
        let isConfirmed = peer.map { $0 - notAfter > SealingLimits.grace } ?? false
        return days - began >= (isConfirmed ? SealingLimits.confirmedDays : SealingLimits.days)
    }
}

/// The days on which a profile was used. Each counts once, even if the clock goes back.
enum SealingDays {
    /// How many days are remembered, so that none counts twice. The count itself has no limit.
    private static let limit = 1000

    static func number(_ time: Int64) -> Int64 { time / 86_400_000 }

    /// Notes a day.
    /// - Returns: how many there are now.
    static func note(_ day: Int64, in store: some SealingStore) throws -> Int64 {
        let known = try store.read { database in
            try database.first("SELECT 1 FROM sealing_days WHERE day = ?", day) { try $0[0] as Bool }
        }
        if known != true {
            try store.write(durably: false) { database in
                try database.execute(
                    "INSERT OR IGNORE INTO sealing_days SELECT ?, ifnull(max(number), 0) + 1 FROM sealing_days", day)
                try database.execute(
                    "DELETE FROM sealing_days WHERE number <= (SELECT max(number) FROM sealing_days) - ?", limit)
            }
        }
        return try store.read { database in
            try database.first("SELECT max(number) FROM sealing_days") { try $0[0] as Int64 } ?? 0
        }
    }
}

extension SealingSession.Ledger {
    /// What time it is. A day that was not seen before is noted.
    mutating func time(_ session: SealingSession) -> SealingClock {
        let wall = session.now()
        let day = SealingDays.number(wall)
        // A day that cannot be stored does not count, so keys are kept longer.
        if day != lastDay, let count = try? SealingDays.note(day, in: session.store) {
            (days, lastDay) = (count, day)
        }
        return SealingClock(wall: wall, peer: peerKeys.signedAt, days: days)
    }

    /// Keys of the other side must be valid until this time to be used. While the other side is connected, it says
    /// which keys it no longer has, so this machine's clock does not matter.
    func sealingTime(_ wall: Int64) -> Int64 { connection?.isIntroduced == true ? .min : wall }
}

/// The time of day, which decides when keys expire.
public enum WallClock {
    /// Milliseconds since 1970.
    @Sendable public static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
