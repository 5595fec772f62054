/// What the demo measured, as `alcove demo --json` prints it. Every value comes from what happened in that run.
struct DemoReport: Encodable {
    struct RoundTrip: Encodable {
        /// From handing a message to the core until the other side's acknowledgement is in the state, in microseconds.
        var p50: Int
        var p99: Int

        init(_ microseconds: [Int]) {
            let sorted = microseconds.sorted()
            func percentile(_ share: Double) -> Int {
                sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
            }
            p50 = percentile(0.50)
            p99 = percentile(0.99)
        }
    }

    struct Messages: Encodable {
        var sent = 0
        var delivered = 0
        var acknowledged = 0
        var duplicated = 0
        var lost = 0

        /// Counts texts that were said against what the other side acknowledged and heard.
        mutating func count(_ said: [String], acknowledged: Int, heard: [String]) {
            let arrived = Set(heard)
            sent += said.count
            self.acknowledged += acknowledged
            delivered += said.filter(arrived.contains).count
            duplicated += heard.count - arrived.count
            lost += said.filter { !arrived.contains($0) }.count
        }
    }

    struct File: Encodable {
        var bytes: Int
        var sha256Match: Bool
        var megabytesPerSecond: Double
    }

    struct Sealed: Encodable {
        /// Messages that were opened, on both sides.
        var messages: Int
        /// One-time keys that are marked as used: one for each of them.
        var keysUsed: Int
        var replayRejected: Bool
        var forgedRejected: Bool
        var openedAgainAfterErase: Bool

        var isSound: Bool {
            messages > 0 && keysUsed == messages && replayRejected && forgedRejected && !openedAgainAfterErase
        }
    }

    struct Note: Encodable {
        var convergedEqual: Bool
        /// Updates that went over the channel, from both sides.
        var updates: Int
        /// From the first request until documents can be opened, in milliseconds.
        var engineReadyMs: Double
    }

    var ok: Bool
    var code: String
    var verified: Bool
    var path: String
    /// From both sides asking for the link until both are connected and verified, in milliseconds.
    var connectMs: Double
    var rttMicros: RoundTrip
    var messages: Messages
    var sealed: Sealed
    var note: Note
    var file: File
    var reconnected: Bool
    var purged: Bool
}
