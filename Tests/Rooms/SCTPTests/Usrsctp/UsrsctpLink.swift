import Testing

@testable import SCTP

/// Our association and one of usrsctp, what is lost between them, and a time of their own.
final class UsrsctpLink {
    enum Beginner: CaseIterable { case we, they, both }

    let ours: TestPeer
    /// Another one in its place is a peer that lost its state.
    var theirs: UsrsctpPeer
    private(set) var now: Nanoseconds = 0
    /// Packets of both sides so far.
    private var count = 0
    var loses: (Int) -> Bool = { _ in false }
    /// How often each packet comes, and whether a changed one comes before it.
    var copies = 1
    var changes = false

    init(
        _ beginner: Beginner, streams: UInt16 = 1024, isInterleaved: Bool = false, firstTSN: UInt32? = nil
    ) throws {
        ours = TestPeer(seed: 1)
        if let firstTSN {
            ours.association.own.initialTSN = firstTSN
            ours.association.sending = Sending(firstTSN: firstTSN)
        }
        theirs = try UsrsctpPeer(streams: streams, isInterleaved: isInterleaved)
        switch beginner {
        case .we:
            try theirs.listen()
            ours.association.connect(now: 0)
        case .they: try theirs.connect()
        case .both:
            try theirs.connect()
            ours.association.connect(now: 0)
        }
    }

    /// Runs until both are connected.
    func connect() { run { theirs.isUp && ours.association.state == .established } }

    /// Runs until `isDone`; at most five minutes of the two's own time.
    func run(_ isDone: () -> Bool) {
        for _ in 0..<300_000 {
            exchange()
            if isDone() { return }
            now += .milliseconds(1)
            UsrsctpStack.advance(milliseconds: 1)
        }
        Issue.record("it did not come to pass")
    }

    private func exchange() {
        for _ in 0..<64 {
            ours.association.advance(to: now)
            let (there, back) = (ours.transmit(now), theirs.takePackets())
            ours.take()
            for packet in there where passes() { for one in arriving(packet) { theirs.receive(one) } }
            for packet in back where passes() { for one in arriving(packet) { ours.receive(one, now) } }
            ours.take()
            if there.isEmpty, back.isEmpty { return }
        }
    }

    private func passes() -> Bool {
        count += 1
        return !loses(count)
    }

    private func arriving(_ packet: [UInt8]) -> [[UInt8]] {
        var changed = packet
        changed[count % packet.count] ^= 0x40
        return (changes ? [changed] : []) + [[UInt8]](repeating: packet, count: copies)
    }

    /// Sends from the other side, when it has room.
    func sendTheirs(_ bytes: [UInt8], stream: UInt16 = 0, isOrdered: Bool = true, maxRetransmits: UInt32? = nil) {
        run { theirs.send(bytes, stream: stream, isOrdered: isOrdered, maxRetransmits: maxRetransmits) }
    }
}
