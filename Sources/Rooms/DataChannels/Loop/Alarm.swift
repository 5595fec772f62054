internal import CNice

/// A moment at which something is due on a loop, to the microsecond: GLib's own timers count milliseconds, which is much for
/// packets that leave at a rate. Only used from the loop's own thread.
///
/// Setting it again costs nothing, so that it may be set in every round.
final class Alarm {
    private let loop: EventLoop
    /// What to do when the time has come.
    var ring: () -> Void = {}
    /// Microseconds of GLib's monotonic clock; the greatest number for never.
    fileprivate(set) var time = Int64.max

    /// That clock.
    static var now: Int64 { Int64(g_get_monotonic_time()) }

    init(loop: EventLoop) {
        self.loop = loop
        loop.alarms.add(self)
    }

    /// It rings once, at this time or soon after; an earlier setting is forgotten.
    func set(microseconds time: Int64) {
        self.time = time
        loop.alarms.noteSetting(time)
    }

    /// It will not ring until it is set again.
    func cancel() { time = .max }

    /// Takes it off the loop, for good.
    func remove() {
        cancel()
        ring = {}
        loop.alarms.remove(self)
    }
}

/// The alarms of a loop.
struct Alarms {
    private var all: [Alarm] = []
    /// Not later than the earliest of them.
    private var earliest = Int64.max

    mutating func add(_ alarm: Alarm) { all.append(alarm) }

    mutating func remove(_ alarm: Alarm) { all.removeAll { $0 === alarm } }

    mutating func noteSetting(_ time: Int64) { earliest = min(earliest, time) }

    /// Nanoseconds until an alarm may have to ring; `nil` for never.
    var wait: Int64? { earliest == .max ? nil : max(0, earliest - Alarm.now) * 1000 }

    /// Takes out what is due.
    mutating func takeDue() -> [() -> Void] {
        guard earliest != .max else { return [] }
        let now = Alarm.now
        guard earliest <= now else { return [] }
        earliest = .max
        var due: [() -> Void] = []
        for alarm in all {
            if alarm.time <= now {
                alarm.time = .max
                due.append(alarm.ring)
            } else {
                earliest = min(earliest, alarm.time)
            }
        }
        return due
    }
}
