import ProgramRunner
import Testing

@testable import DataChannels

@Suite("Bad peers and bad moments", .timeLimit(.minutes(5)))
struct RobustnessTests {
    /// A connected pair with one channel and both inboxes.
    private func connected() async throws -> (Pair, DataChannel, Inbox) {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        try await pair.connect()
        let inbox = Inbox(try await pair.answererLog.channel())
        return (pair, channel, inbox)
    }

    @Test("an ICE restart keeps the connection, even in the middle of a transfer")
    func iceRestart() async throws {
        let (pair, channel, inbox) = try await connected()
        let before = try #require(await pair.offerer.localDescription?.dataChannels)
        for index in 0..<300 { try channel.send([UInt8](repeating: UInt8(index & 255), count: 65536)) }
        try await pair.negotiate(iceRestart: true)
        #expect(await inbox.next(300) == (0..<300).map { .binary([UInt8](repeating: UInt8($0 & 255), count: 65536)) })
        let after = try #require(await pair.offerer.localDescription?.dataChannels)
        #expect(before.iceUsernameFragment != after.iceUsernameFragment)
        #expect(before.fingerprints == after.fingerprints)
        // Again, from the other side, and talk on the new path.
        let offer = try await pair.answerer.createOffer(iceRestart: true)
        try await pair.answerer.setLocalDescription(offer)
        try await pair.offerer.setRemoteDescription(offer)
        let answer = try await pair.offerer.createAnswer()
        try await pair.offerer.setLocalDescription(answer)
        try await pair.answerer.setRemoteDescription(answer)
        while await pair.offerer.peer.isRestarting { try await Task.sleep(for: .milliseconds(5)) }
        try channel.send("still here")
        #expect(await inbox.next() == .text("still here"))
        #expect(pair.offerer.connectionState == .connected)
        await pair.close()
    }

    @Test("garbage sent to the port has no effect")
    func garbageOnTheWire() async throws {
        let (pair, channel, inbox) = try await connected()
        let port = try #require(await pair.answerer.localDescription?.dataChannels?.candidates.first?.port)
        let thrower = try DatagramThrower()
        var generator = SystemRandomNumberGenerator()
        for count in 0..<400 {
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // Some that look like DTLS records of every type and like STUN.
            if count > 13, count % 2 == 0 { bytes.replaceSubrange(0..<3, with: [20 + UInt8(count % 6), 0xFE, 0xFD]) }
            if count > 20, count % 5 == 0 { bytes.replaceSubrange(0..<2, with: [0, 1]) }
            thrower.send(bytes, to: port)
        }
        try channel.send("after the storm")
        #expect(await inbox.next() == .text("after the storm"))
        await pair.close()
    }

    @Test("garbage from the real peer below DTLS has no effect")
    func garbageFromThePeer() async throws {
        let (pair, channel, inbox) = try await connected()
        pair.offerer.peer.onLoop { peer in
            for count in 1..<600 {
                var bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
                if count > 13 { bytes.replaceSubrange(0..<3, with: [20 + UInt8(count % 6), 0xFE, 0xFD]) }
                bytes.withUnsafeBytes { peer.ice?.enqueue($0) }
            }
            peer.needEndOfRound()
        }
        try channel.send("fine")
        #expect(await inbox.next() == .text("fine"))
        await pair.close()
    }

    @Test("malformed SCTP packets inside DTLS do no harm")
    func malformedSCTP() async throws {
        let (pair, channel, inbox) = try await connected()
        let packets: [[UInt8]] = (0..<300).map { index in
            var bytes = (0..<(index * 4)).map { _ in UInt8.random(in: 0...255) }
            // Ports 5000 and chunk headers of every type with lengths that lie.
            if bytes.count > 16 {
                bytes.replaceSubrange(0..<4, with: [0x13, 0x88, 0x13, 0x88])
                bytes[12] = UInt8(truncatingIfNeeded: index)
            }
            return bytes
        }
        pair.offerer.peer.onLoop { peer in
            for packet in packets { packet.withUnsafeBytes { peer.dtls?.send($0) } }
        }
        try channel.send("fine")
        #expect(await inbox.next() == .text("fine"))
        await pair.close()
    }

    @Test("malformed announcements and unknown identifiers do no harm")
    func malformedDCEP() async throws {
        let (pair, channel, inbox) = try await connected()
        let messages: [[UInt8]] = [
            [0], [3], [3, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], [2, 2], [0xFF],
            [3, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 3, count: 100_000),
        ]
        pair.offerer.peer.onLoop { peer in
            for (index, message) in messages.enumerated() {
                for identifier in [50, 0, 49, 55, 99] as [UInt32] {
                    _ = peer.sctp?.send(
                        message, stream: UInt16(20 + index), identifier: identifier,
                        policy: SCTPPolicy())
                }
            }
        }
        try channel.send("fine")
        #expect(await inbox.next() == .text("fine"))
        await pair.close()
    }

    @Test("a peer that sends more than was agreed loses the connection, and memory stays bounded")
    func overlongMessage() async throws {
        var small = try PeerConnectionConfiguration.loopback()
        small.maxMessageSize = 1000
        let pair = try Pair(answerer: small)
        let channel = try pair.offerer.createDataChannel(label: "x")
        try await pair.connect()
        _ = try await pair.answererLog.channel()
        pair.offerer.peer.onLoop { peer in
            let message = [UInt8](repeating: 0, count: 500_000)
            _ = peer.sctp?.send(
                message, stream: channel.id ?? 0, identifier: 53, policy: SCTPPolicy())
        }
        try await pair.answererLog.state(.failed)
        #expect(await pair.answererLog.failure?.code == .messageTooLarge)
        await pair.close()
    }

    @Test("a certificate other than the announced one is refused")
    func wrongFingerprint() async throws {
        let pair = try Pair()
        _ = try pair.offerer.createDataChannel(label: "x")
        var offer = try await pair.offerer.createOffer()
        try await pair.offerer.setLocalDescription(offer)
        offer.dataChannels?.fingerprints = [try Certificate.generate().fingerprint]
        try await pair.answerer.setRemoteDescription(offer)
        let answer = try await pair.answerer.createAnswer()
        try await pair.answerer.setLocalDescription(answer)
        try await pair.offerer.setRemoteDescription(answer)
        try await pair.answererLog.state(.failed)
        #expect(await pair.answererLog.failure?.code == .security)
        #expect(await !pair.offererLog.states.contains(.connected))
        await pair.close()
    }

    @Test("a fingerprint cannot change within a connection")
    func fingerprintChange() async throws {
        let (pair, _, _) = try await connected()
        var offer = try await pair.answerer.createOffer()
        offer.dataChannels?.fingerprints = [try Certificate.generate().fingerprint]
        let changed = offer
        await #expect(throws: PeerConnectionError.self) { try await pair.offerer.setRemoteDescription(changed) }
        #expect(pair.offerer.remoteFingerprint == pair.answerer.localFingerprint)
        await pair.close()
    }

    @Test("closing one side closes the other")
    func remoteClose() async throws {
        let (pair, channel, inbox) = try await connected()
        let ours = Inbox(channel)
        await pair.answerer.close()
        try await pair.offererLog.state(.closed)
        await ours.close()
        await inbox.close()
        #expect(throws: PeerConnectionError.self) { try channel.send("x") }
        #expect(throws: PeerConnectionError.self) { try pair.offerer.createDataChannel(label: "y") }
        await #expect(throws: PeerConnectionError.self) { try await pair.offerer.createOffer() }
        await pair.close()
    }

    @Test("a released connection closes")
    func released() async throws {
        var pair: Pair? = try Pair()
        let channel = try #require(try pair?.offerer.createDataChannel(label: "x"))
        let inbox = Inbox(channel)
        try await pair?.connect()
        let log = pair?.answererLog
        pair = nil
        await inbox.close()
        try await log?.state(.closed)
    }

    @Test("closing at any moment, from anywhere, ends")
    func closeRaces() async throws {
        for round in 0..<40 {
            let pair = try Pair()
            let channel = try pair.offerer.createDataChannel(label: "x")
            let offerer = pair.offerer
            channel.setHandlers(
                onOpen: {
                    if round % 4 == 0 { Task { await offerer.close() } }
                    if round % 4 == 1 { channel.close() }
                },
                onMessage: { _ in channel.close() })
            async let negotiation: Void? = try? pair.negotiate()
            try await Task.sleep(for: .milliseconds(round % 20))
            async let first: Void = pair.offerer.close()
            async let second: Void = pair.answerer.close()
            _ = await (negotiation, first, second)
            #expect(channel.state == .closed)
            #expect(pair.answerer.connectionState == .closed)
        }
    }

    @Test("channels closed inside their own handlers")
    func closeInsideHandlers() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        let ours = Inbox(channel)
        try await pair.connect()
        let theirs = try await pair.answererLog.channel()
        theirs.setHandlers(onMessage: { _ in
            theirs.close()
            try? theirs.send("refused")
        })
        try channel.send("bye")
        try channel.send("unread")
        await ours.close()
        await pair.close()
    }

    @Test("calls in the wrong state are errors")
    func wrongState() async throws {
        let pair = try Pair()
        await #expect(throws: PeerConnectionError.self) { try await pair.offerer.createAnswer() }
        let offer = try await pair.offerer.createOffer()
        try await pair.offerer.setLocalDescription(offer)
        await #expect(throws: PeerConnectionError.self) { try await pair.offerer.setRemoteDescription(offer) }
        try await pair.offerer.rollback()
        await #expect(throws: PeerConnectionError.self) { try await pair.offerer.rollback() }
        try await pair.offerer.setRemoteDescription(offer)
        let answer = try await pair.offerer.createAnswer()
        #expect(answer.kind == .answer)
        await pair.close()
    }

    @Test("a rollback resolves two offers at once")
    func glare() async throws {
        let pair = try Pair()
        let channel = try pair.offerer.createDataChannel(label: "x")
        let ours = Inbox(channel)
        let one = try await pair.offerer.createOffer()
        let two = try await pair.answerer.createOffer()
        try await pair.offerer.setLocalDescription(one)
        try await pair.answerer.setLocalDescription(two)
        try await pair.answerer.rollback()
        try await pair.answerer.setRemoteDescription(one)
        let answer = try await pair.answerer.createAnswer()
        try await pair.answerer.setLocalDescription(answer)
        try await pair.offerer.setRemoteDescription(answer)
        await ours.open()
        await pair.close()
    }
}
