internal import CNice
internal import Platform

extension EventLoop {
    /// Where a thread keeps its loop: GLib's function for waiting gets no pointer of ours.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// From now on the loop's thread, which calls this, waits in its own way.
    func waitForFilesHere() {
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        g_main_context_set_poll_func(context) { files, count, milliseconds in
            guard let loop = pthread_getspecific(EventLoop.key) else { return g_poll(files, count, milliseconds) }
            return Unmanaged<EventLoop>.fromOpaque(loop).takeUnretainedValue().poll(files, count, milliseconds)
        }
    }

    /// Waits for files as GLib asks, but not longer than until the next alarm.
    private func poll(_ files: UnsafeMutablePointer<GPollFD>?, _ count: guint, _ milliseconds: gint) -> gint {
        guard milliseconds != 0 else { return alcove_poll(files, count, 0) }
        let asked = milliseconds < 0 ? nil : Int64(milliseconds) * 1_000_000
        let limit = [asked, alarms.wait].compactMap(\.self).min() ?? -1
        let start = g_get_monotonic_time()
        if patience.looksFirst, limit != 0 {
            repeat {
                let ready = alcove_poll(files, count, 0)
                if ready != 0 {
                    patience.waited(microseconds: Int(g_get_monotonic_time() - start))
                    return ready
                }
                sched_yield()
            } while g_get_monotonic_time() - start < gint64(Patience.look)
        }
        let ready = alcove_poll(files, count, gint64(limit))
        patience.waited(microseconds: Int(g_get_monotonic_time() - start))
        return ready
    }
}

/// Whether a loop looks for a moment before its thread sleeps. To fall asleep and to wake up takes longer than an answer over
/// a fast path, so two peers that answer each other at once are faster without. When answers take longer, or none come, the
/// thread sleeps as ever.
struct Patience {
    /// Microseconds for which the loop looks.
    static let look = 50
    /// A wait of at most this many microseconds was a short one.
    private static let short = 120
    /// How many short waits in a row there must have been, so that a single one, as in a chat, changes nothing.
    private static let habit = 8

    private var shortWaits = 0

    var looksFirst: Bool { shortWaits >= Self.habit }

    mutating func waited(microseconds: Int) {
        shortWaits = microseconds <= Self.short ? min(shortWaits + 1, Self.habit) : 0
    }
}
