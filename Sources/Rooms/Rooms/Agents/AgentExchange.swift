/// The messages about agents between the two sides of a room. This code does not interpret them, and keeps none for another connection: their
/// owner goes on from where it knows that the other side is.
struct AgentExchange {
    let room: String
    let report: RoomReports

    /// Whether the other side has such a channel, and said so on this connection.
    private(set) var isOpen = false
    /// Whether more came than the owner could take: the rest of the connection does not count.
    private var isFlooded = false
    private var hellos = 0
    /// What came before the other side's hello, which has another channel.
    private var early: [[UInt8]] = []

    private var queue: [[UInt8]] = []
    private var first = 0
    private var bytes = 0

    init(room: String, report: RoomReports) { (self.room, self.report) = (room, report) }

    /// The other side has sent its hello. It may do so again after an interruption.
    mutating func greeted(knowsAgents: Bool) {
        if isOpen { close() }
        guard knowsAgents, hellos < AgentChannelLimits.hellos else { return }
        hellos += 1
        isOpen = true
        report.yield(.agentChannel(room: room, isOpen: true))
        let waiting = early
        early = []
        for message in waiting { received(message) }
    }

    mutating func disconnected() {
        if isOpen { close() }
        (early, isFlooded, hellos) = ([], false, 0)
    }

    private mutating func close() {
        isOpen = false
        (queue, first, bytes) = ([], 0, 0)
        report.yield(.agentChannel(room: room, isOpen: false))
    }

    mutating func received(_ message: [UInt8]) {
        guard !isFlooded else { return }
        guard isOpen else {
            if early.count < AgentChannelLimits.early { early.append(message) }
            return
        }
        guard report.agentBytes(room) + message.count <= AgentChannelLimits.waiting else {
            isFlooded = true
            return close()
        }
        report.yield(.agentMessage(room: room, bytes: message))
    }

    /// - Returns: false if there is no such channel now, or if too much waits for it already; then nothing was taken.
    mutating func send(_ messages: [[UInt8]]) -> Bool {
        let size = messages.reduce(0) { $0 + $1.count }
        guard isOpen, bytes == 0 || bytes + size <= AgentChannelLimits.queue else { return false }
        queue += messages
        bytes += size
        return true
    }

    /// The next message to send; ``sent()`` removes it.
    var next: [UInt8]? { first < queue.count ? queue[first] : nil }

    mutating func sent() {
        guard let message = next else { return }
        bytes -= message.count
        first += 1
        if first == queue.count {
            (queue, first) = ([], 0)
        } else if first > 1024, first * 2 > queue.count {
            queue.removeFirst(first)
            first = 0
        }
    }
}

/// Limits of the channel of agents, in bytes unless said otherwise.
enum AgentChannelLimits {
    /// Messages that wait for the owner. Beyond that the channel is not read until the next connection.
    static let waiting = 4 << 20
    /// Messages that wait to be sent.
    static let queue = 16 << 20
    /// Messages that may come before the hello.
    static let early = 16
    /// Hellos of one connection that open the channel anew: each makes both owners begin again.
    static let hellos = 100
    /// Sending pauses at this many bytes in the channel, and continues at this many.
    static let (highWater, lowWater) = (1 << 20, 1 << 18)
}
