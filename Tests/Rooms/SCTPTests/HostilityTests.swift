import Testing

@testable import SCTP

/// Packets that nobody with good intentions sends.
@Suite struct HostilityTests {
    private func accepted() -> (TestPeer, ScriptedPeer) {
        let peer = TestPeer(seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        return (peer, script)
    }

    @Test func wrongTagsPortsAndChecksumsAreDropped() {
        let (peer, script) = accepted()
        let chunk = ScriptedPeer.data(1000)
        var broken = script.packet(chunk)
        broken[broken.count - 1] ^= 1
        let forged: [[UInt8]] = [
            ScriptedPeer.packet(tag: script.otherTag &+ 1, [chunk]), ScriptedPeer.packet(tag: 0, [chunk]),
            ScriptedPeer.packet(tag: script.otherTag, [chunk], source: 5001), broken, [], [1, 2, 3],
            Array(script.packet(chunk).prefix(12)),
            ScriptedPeer.packet(tag: script.otherTag &+ 1, [.chunk(ChunkType.abort)]),
            // A reflected tag is the peer's, not ours.
            ScriptedPeer.packet(tag: script.otherTag, [.chunk(ChunkType.abort, flags: ChunkFlag.reflectedTag)]),
            ScriptedPeer.packet(tag: script.otherTag &+ 1, [.chunk(ChunkType.shutdownComplete)]),
        ]
        for packet in forged { peer.receive(packet, 0) }
        peer.take()
        #expect(peer.messages.isEmpty)
        #expect(peer.association.state == .established)
        #expect(peer.association.statistics.packetsRejected == UInt64(forged.count))
        peer.receive(script.packet(chunk), 0)
        peer.receive(script.packet(chunk), 0)
        peer.take()
        #expect(peer.messages.count == 1, "a packet that is replayed delivers nothing")
    }

    @Test func lengthsThatLieEndThePacket() {
        let (peer, script) = accepted()
        for length: UInt16 in [0, 1, 3, 5, 1000, 65_535] {
            var chunk = ScriptedPeer.data(1000)
            chunk[2] = UInt8(length >> 8)
            chunk[3] = UInt8(length & 0xFF)
            peer.receive(script.packet(chunk), 0)
        }
        for type in [UInt16](0...14) + [64, 130, 132, 192, 194] {
            for count in 0..<24 where type != ChunkType.abort && type != ChunkType.shutdown {
                peer.receive(script.packet(.chunk(type, [UInt8](repeating: 0xFF, count: count))), 0)
                _ = peer.transmit(0)
                if peer.association.state == .closed { return #expect(type == 64 || type == 3 || type == 0) }
            }
        }
    }

    @Test func unknownChunksFollowTheirHighBits() {
        let (peer, script) = accepted()
        let data = ScriptedPeer.data(1000)
        // 10: pass over; 11: report and pass over; 00: drop the rest; 01: report and drop the rest.
        peer.receive(script.packet(.chunk(0xBF, [1, 2, 3]), data), 0)
        peer.receive(script.packet(.chunk(0xFF, [4]), ScriptedPeer.data(1001, number: 1)), 0)
        peer.receive(script.packet(.chunk(0x3F), ScriptedPeer.data(1002, number: 2)), 0)
        peer.receive(script.packet(.chunk(0x7F), ScriptedPeer.data(1002, number: 2)), 0)
        peer.take()
        #expect(peer.messages.count == 2)
        let errors = peer.transmit(0).chunks.filter { $0.type == ChunkType.error }
        #expect(errors.map { $0.uint16(0) } == [6, 6])
        #expect(errors.map { $0.body[4] } == [0xFF, 0x7F])
    }

    @Test func floodsOfRequestsAreAnsweredWithinBounds() {
        let (peer, script) = accepted()
        for number in 0..<10_000 {
            var information: [UInt8] = []
            information.put(parameter: 1, [UInt8](repeating: UInt8(number & 0xFF), count: 900))
            peer.receive(script.packet(.chunk(ChunkType.heartbeat, information)), 0)
            peer.receive(script.packet(.chunk(0xFF)), 0)
        }
        #expect(peer.association.output.control.count <= Output.most)
        var bytes = 0
        for packet in peer.transmit(0) { bytes += packet.count }
        #expect(bytes < 64 * 1024)
    }

    @Test func heartbeatAnswersThatLieChangeNothing() {
        let (peer, script) = accepted()
        for time: UInt64 in [0, 1, .max, 1 << 63, 12345] {
            for size: UInt32 in [0, 1200, 65_535, .max] {
                for nonce: UInt32 in [0, peer.association.path.nonce] {
                    var information: [UInt8] = []
                    information.put(time)
                    information.put(size)
                    information.put(nonce)
                    var body: [UInt8] = []
                    body.put(parameter: 1, information)
                    peer.receive(script.packet(.chunk(ChunkType.heartbeatAcknowledgement, body)), .seconds(100))
                }
            }
        }
        #expect(peer.association.statistics.packetSize == 1184)
        #expect(peer.association.state == .established)
    }

    @Test func dataWithoutBytesEndsTheAssociation() {
        let (peer, script) = accepted()
        peer.receive(script.packet(ScriptedPeer.data(1000, [])), 0)
        #expect(peer.association.state == .closed)
        #expect(peer.transmit(0).chunks[0].uint16(0) == ErrorCause.noUserData)
    }

    @Test func streamsThatDoNotExistAreRefused() {
        let peer = TestPeer(
            {
                var configuration = Configuration(); configuration.streams = 10; return configuration
            }(), seed: 1)
        var script = ScriptedPeer()
        script.accept(peer)
        peer.receive(script.packet(ScriptedPeer.data(1000, stream: 10)), 0)
        peer.take()
        #expect(peer.messages.isEmpty)
        let chunks = peer.transmit(0).chunks
        #expect(chunks.first { $0.type == ChunkType.error }?.uint16(0) == ErrorCause.invalidStream)
        #expect(peer.association.receiving.tsns.cumulative == 1000)
    }

    /// Two associations whose packets are lost, doubled, mixed up and changed at random. Whatever happens, nothing breaks,
    /// memory is bounded, and what is delivered over checksums is what was sent.
    @Test(arguments: 1...40) func aHostileMiddle(seed: Int) throws {
        var random = SeededNumbers(state: UInt64(seed))
        var configuration = Configuration()
        configuration.zeroChecksum = false
        configuration.interleaving = seed % 2 == 0
        let peers = [TestPeer(configuration, seed: 1), TestPeer(configuration, seed: 2)]
        for peer in peers { peer.association.connect(now: 0) }
        var waiting: [(to: Int, packet: [UInt8])] = []
        var now = Nanoseconds(0)
        for step in 0..<3000 {
            now += Nanoseconds.random(in: 0...20_000_000, using: &random)
            for (index, peer) in peers.enumerated() {
                peer.association.advance(to: now)
                if step % 7 == index, peer.association.unsentBytes < 50_000 {
                    let stream = UInt16.random(in: 0..<5, using: &random)
                    let size = Int.random(in: 1...4000, using: &random)
                    let limited = stream == 4
                    try? peer.send(
                        [UInt8](repeating: UInt8(stream), count: size), stream: stream,
                        reliability: limited ? .maxRetransmits(1) : .reliable, now: now)
                }
                if step % 200 == 100 { try? peer.association.reset([UInt16(step / 200 % 5)], now: now) }
                waiting += peer.transmit(now).map { (1 - index, $0) }
                peer.take()
            }
            while waiting.count > 20 || !waiting.isEmpty && Bool.random(using: &random) {
                let place = Int.random(in: 0..<min(waiting.count, 8), using: &random)
                var (to, packet) = waiting.remove(at: place)
                let fate = Int.random(in: 0..<20, using: &random)
                if fate == 0 { continue }
                if fate == 1 { waiting.append((to, packet)) }
                if fate == 2 {
                    packet[Int.random(in: 0..<packet.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                if fate == 3 { packet.removeLast(Int.random(in: 0..<packet.count, using: &random)) }
                peers[to].receive(packet, now)
                if fate == 4 { to = 1 - to; peers[to].receive(packet, now) }
            }
        }
        for peer in peers {
            #expect(peer.association.state == .established)
            #expect(peer.association.receiving.size < 1 << 20)
            for case .message(let stream, _, let bytes) in peer.deliveries {
                #expect(bytes.allSatisfy { $0 == UInt8(stream) })
            }
            #expect(peer.messages.count > 50)
        }
    }

    /// The same, with packets whose changes the checksum does not show, as a malicious peer would send them.
    @Test(arguments: 1...40) func aMaliciousPeer(seed: Int) throws {
        var random = SeededNumbers(state: UInt64(seed) &* 977)
        let peers = [TestPeer(seed: 1), TestPeer(seed: 2)]
        for peer in peers { peer.association.connect(now: 0) }
        var waiting: [(to: Int, packet: [UInt8])] = []
        var now = Nanoseconds(0)
        for step in 0..<1500 {
            now += Nanoseconds.random(in: 0...20_000_000, using: &random)
            for (index, peer) in peers.enumerated() {
                peer.association.advance(to: now)
                if step % 3 == index, peer.association.unsentBytes < 50_000 {
                    try? peer.send(
                        [UInt8](repeating: 1, count: Int.random(in: 1...4000, using: &random)),
                        stream: UInt16.random(in: 0..<5, using: &random),
                        reliability: Bool.random(using: &random) ? .maxRetransmits(1) : .reliable, now: now)
                }
                waiting += peer.transmit(now).map { (1 - index, $0) }
                peer.take()
            }
            while !waiting.isEmpty {
                var (to, packet) = waiting.removeFirst()
                if step > 20, Int.random(in: 0..<10, using: &random) == 0, packet.count > 13 {
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        packet[Int.random(in: 12..<packet.count, using: &random)] = UInt8.random(
                            in: 0...255, using: &random)
                    }
                    packet.replaceSubrange(8..<12, with: [0, 0, 0, 0])
                }
                peers[to].receive(packet, now)
            }
        }
        for peer in peers { #expect(peer.association.receiving.size < 8 << 20) }
    }
}
