import Testing

@testable import SCTP

@Suite struct HandshakeTests {
    @Test func fourChunksMakeAnAssociation() throws {
        let (left, right) = (TestPeer(seed: 1), TestPeer(seed: 2))
        left.association.connect(now: 0)
        let initiation = left.transmit(0)
        #expect(initiation.types == [ChunkType.initiation])
        #expect(ScriptedPeer.tag(of: initiation[0]) == 0)
        right.receive(initiation[0], 0)
        let answer = right.transmit(0)
        #expect(answer.types == [ChunkType.initiationAcknowledgement])
        #expect(right.association.state == .idle, "an INIT costs no state")
        left.receive(answer[0], 0)
        let cookie = left.transmit(0)
        #expect(cookie.types == [ChunkType.cookieEcho])
        right.receive(cookie[0], 0)
        #expect(right.association.state == .established)
        let last = right.transmit(0)
        #expect(last.types == [ChunkType.cookieAcknowledgement])
        left.receive(last[0], 0)
        #expect(left.association.state == .established)
        #expect(left.association.isInterleaved && right.association.isInterleaved)
    }

    /// Whatever chunk of the handshake is lost, and with INIT from one side or both, it comes about.
    @Test(arguments: 0..<8, [true, false])
    func survivesLosses(lost: Int, both: Bool) {
        let (left, right) = (TestPeer(seed: 1), TestPeer(seed: 2))
        left.association.connect(now: 0)
        if both { right.association.connect(now: 0) }
        var (now, count) = (Nanoseconds(0), 0)
        while now < .seconds(30), left.association.state != .established || right.association.state != .established {
            for (from, to) in [(left, right), (right, left)] {
                from.association.advance(to: now)
                for packet in from.transmit(now) {
                    if count != lost { to.receive(packet, now) }
                    count += 1
                }
            }
            now += .milliseconds(10)
        }
        left.take()
        right.take()
        #expect(left.events == [.established])
        #expect(right.events == [.established])
    }

    @Test func givesUpWithoutAnswer() {
        var configuration = Configuration()
        configuration.maxHandshakeAttempts = 3
        let peer = TestPeer(configuration, seed: 1)
        peer.association.connect(now: 0)
        var sent = 0
        for step in 0..<2000 {
            peer.association.advance(to: .milliseconds(Int64(step) * 10))
            sent += peer.transmit(.milliseconds(Int64(step) * 10)).count
        }
        peer.take()
        #expect(sent == 3)
        #expect(peer.events == [.closed(.handshakeTimedOut)])
        #expect(peer.association.nextDeadline == nil)
    }

    @Test func keepsNothingForAFloodOfInitiations() {
        let peer = TestPeer(seed: 1)
        var answered = 0
        for number in 1...10_000 {
            var other = ScriptedPeer()
            other.tag = UInt32(number)
            peer.receive(ScriptedPeer.packet(tag: 0, [other.initiation()]), 0)
            if number % 8 == 0 { answered += peer.transmit(0).count }
        }
        #expect(answered == 10_000)
        #expect(peer.association.state == .idle)
        // Without being asked to send, it remembers only a few answers.
        for number in 1...1000 {
            var other = ScriptedPeer()
            other.tag = UInt32(number)
            peer.receive(ScriptedPeer.packet(tag: 0, [other.initiation()]), 0)
        }
        #expect(peer.transmit(0).count == Output.most)
    }

    @Test func refusesForgedAndChangedCookies() throws {
        let peer = TestPeer(seed: 1)
        var other = ScriptedPeer()
        peer.receive(ScriptedPeer.packet(tag: 0, [other.initiation()]), 0)
        let answer = peer.transmit(0)
        other.note(answer[0])
        let cookie = try #require(ScriptedPeer.parameters(answer[0]).first { $0.type == ParameterType.cookie }).body
        for index in cookie.indices {
            var changed = cookie
            changed[index] ^= 1
            peer.receive(other.packet(.chunk(ChunkType.cookieEcho, changed)), 0)
            #expect(peer.association.state == .idle)
        }
        peer.receive(ScriptedPeer.packet(tag: 77, [.chunk(ChunkType.cookieEcho, cookie)]), 0)
        #expect(peer.association.state == .idle, "the tag of the packet is not that of the cookie")
        // One that travelled too long is answered with an error (section 5.2.6).
        peer.receive(other.packet(.chunk(ChunkType.cookieEcho, cookie)), .seconds(61))
        #expect(peer.association.state == .idle)
        let error = peer.transmit(.seconds(61)).chunks
        #expect(error.map(\.type) == [ChunkType.error] && error[0].uint16(0) == ErrorCause.staleCookie)
        peer.receive(other.packet(.chunk(ChunkType.cookieEcho, cookie)), .seconds(61))
        #expect(peer.association.state == .idle)
    }

    /// The peer lost its state and begins anew (section 5.2.4.1, action A).
    @Test func followsARestart() throws {
        let path = SimulatedPath(SimulatedLink(rate: 0, delay: .milliseconds(5)))
        let (left, right) = (TestPeer(seed: 1), TestPeer(seed: 2))
        path.add(left, right)
        path.run(until: .seconds(1))
        try left.send([1], now: path.now)
        path.serve(0)
        path.run(until: .seconds(2))
        let again = TestPeer(seed: 9)
        path.peers[1] = again
        again.association.connect(now: path.now)
        path.serve(1)
        path.run(until: .seconds(4))
        #expect(again.association.state == .established)
        #expect(left.events == [.established, .restarted])
        try left.send([2], now: path.now)
        try again.send([3], now: path.now)
        path.serve(0)
        path.serve(1)
        path.run(until: .seconds(6))
        #expect(again.messages == [[2]])
        #expect(left.messages == [[3]])
    }

    /// A late INIT of the present association changes nothing (section 5.2.2), nor does its cookie a second time (D).
    @Test func ignoresWhatComesAgain() {
        let (left, right) = (TestPeer(seed: 1), TestPeer(seed: 2))
        left.association.connect(now: 0)
        let initiation = left.transmit(0)[0]
        right.receive(initiation, 0)
        let answer = right.transmit(0)[0]
        left.receive(answer, 0)
        let cookie = left.transmit(0)[0]
        right.receive(cookie, 0)
        left.receive(right.transmit(0)[0], 0)
        right.receive(initiation, 0)
        #expect(right.transmit(0).types == [ChunkType.initiationAcknowledgement])
        right.receive(cookie, 0)
        #expect(right.transmit(0).types == [ChunkType.cookieAcknowledgement])
        left.receive(answer, 0)
        #expect(left.transmit(0).isEmpty)
        left.take()
        right.take()
        #expect(left.events == [.established] && right.events == [.established])
    }

    @Test func readsParametersByTheRuleOfTheirHighBits() {
        let peer = TestPeer(seed: 1)
        var initiation = ScriptedPeer().initiation()
        initiation.put(parameter: 0x8F00, [1])
        initiation.put(parameter: 0xCF00, [2, 2])
        initiation.put(parameter: 0x4F00, [3])
        initiation.put(parameter: 0xCF01, [4])
        initiation.replaceSubrange(2..<4, with: [UInt8(initiation.count >> 8), UInt8(initiation.count & 0xFF)])
        peer.receive(ScriptedPeer.packet(tag: 0, [initiation]), 0)
        let reported = ScriptedPeer.parameters(peer.transmit(0)[0]).filter { $0.type == ParameterType.unrecognized }
        // 0x8F00 is passed over in silence, 0xCF00 is reported, 0x4F00 is reported and ends the reading.
        #expect(reported.map(\.body) == [[0xCF, 0, 0, 6, 2, 2], [0x4F, 0, 0, 5, 3]])
    }

    @Test func refusesWhatCannotBeAccepted() {
        let peer = TestPeer(seed: 1)
        peer.receive(ScriptedPeer.packet(tag: 0, [ScriptedPeer().initiation(streams: 0)]), 0)
        #expect(peer.transmit(0).types == [ChunkType.abort])
        var named = ScriptedPeer().initiation()
        named.put(parameter: ParameterType.hostName, Array("a.example".utf8))
        named.replaceSubrange(2..<4, with: [UInt8(named.count >> 8), UInt8(named.count & 0xFF)])
        peer.receive(ScriptedPeer.packet(tag: 0, [named]), 0)
        #expect(peer.transmit(0).chunks.first?.uint16(0) == ErrorCause.unresolvableAddress)
        var tagless = ScriptedPeer()
        tagless.tag = 0
        peer.receive(ScriptedPeer.packet(tag: 0, [tagless.initiation()]), 0)
        #expect(peer.transmit(0).isEmpty)
        // With something behind it, or with a tag, an INIT is dropped.
        peer.receive(ScriptedPeer.packet(tag: 0, [ScriptedPeer().initiation(), ScriptedPeer.data(1)]), 0)
        peer.receive(ScriptedPeer.packet(tag: 5, [ScriptedPeer().initiation()]), 0)
        #expect(peer.transmit(0).isEmpty)
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func agreesOnChecksums(ours: Bool, theirs: Bool) throws {
        var (one, other) = (Configuration(), Configuration())
        (one.zeroChecksum, other.zeroChecksum) = (ours, theirs)
        let path = SimulatedPath(SimulatedLink(rate: 0, delay: .milliseconds(5)))
        let (left, right) = (TestPeer(one, seed: 1), TestPeer(other, seed: 2))
        path.add(left, right)
        path.run(until: .seconds(1))
        try left.send([1, 2, 3], now: path.now)
        let packet = left.transmit(path.now)[0]
        #expect((packet[8..<12] == [0, 0, 0, 0]) == (ours && theirs))
        right.receive(packet, path.now)
        right.take()
        #expect(right.messages == [[1, 2, 3]])
    }
}
