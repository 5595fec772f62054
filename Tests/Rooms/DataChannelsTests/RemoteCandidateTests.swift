import Testing

@testable import DataChannels

/// How many candidates, names and channels are accepted from a peer.
@Suite("What a peer brings", .timeLimit(.minutes(5)))
struct RemoteCandidateTests {
    private func candidate(_ number: Int, host: String? = nil) -> ICECandidate {
        ICECandidate(
            foundation: "1", priority: 1, address: host ?? "127.0.\(number / 250).\(1 + number % 250)", port: 9,
            kind: .host)
    }

    @Test("256 candidates a generation, each once")
    func candidatesAreCounted() {
        var candidates = RemoteCandidates()
        candidates.begin("a")
        var taken: [Bool] = []
        for number in 0..<256 {
            taken.append(candidates.take(candidate(number)))
            taken.append(!candidates.take(candidate(number)))
        }
        taken.append(!candidates.take(candidate(256)))
        #expect(candidates.isFull)
        // The same description again does not begin a generation.
        candidates.begin("a")
        #expect(candidates.isFull)
        candidates.begin("b")
        taken.append(candidates.take(candidate(256)))
        #expect(taken.allSatisfy { $0 })
    }

    @Test("sixteen names a generation, sixteen look-ups at a time")
    func namesAreCounted() {
        var candidates = RemoteCandidates()
        candidates.begin("a")
        var results = (0..<17).map { candidates.lookUp("\($0).local") }
        candidates.begin("b")
        results.append(candidates.lookUp("16.local"))
        candidates.lookedUp()
        results.append(candidates.lookUp("16.local"))
        #expect(results == [Bool](repeating: true, count: 16) + [false, false, true])
    }

    @Test(
        "only names that browsers generate are looked up",
        arguments: [
            "a.b.local", ".local", "local", "a b.local", "ä.local", "example.com",
            String(repeating: "a", count: 64) + ".local",
        ])
    func otherNamesAreNot(_ name: String) {
        var candidates = RemoteCandidates()
        candidates.begin("a")
        let results = [name, "0b9a1b2c-1111-4a4a-9b9b-0123456789ab.local"].map { candidates.lookUp($0) }
        #expect(results == [false, true])
    }

    @Test("trickled candidates are counted, too")
    func trickleIsBounded() async throws {
        let pair = try Pair()
        _ = try pair.offerer.createDataChannel(label: "x")
        try await pair.connect()
        var taken = 0
        let error = await #expect(throws: PeerConnectionError.self) {
            for number in 0..<10_000 {
                try await pair.answerer.addICECandidate(candidate(number))
                taken += 1
            }
        }
        #expect(error?.code == .limit)
        #expect(taken <= 256)
        await pair.close()
    }

    @Test("channels that the application does not use slow the peer down")
    func opensAreHeldBack() async throws {
        let pair = try Pair()
        let label = String(repeating: "x", count: 60_000)
        let count = 60
        let first = try pair.offerer.createDataChannel(label: "first")
        try await pair.connect()
        _ = try await pair.answererLog.channel()
        for number in 0..<count { _ = try pair.offerer.createDataChannel(label: "\(number)" + label) }
        let later = try pair.offerer.createDataChannel(label: "later")
        try later.send("hello")
        while await pair.answerer.peer.unaccepted < ChannelTable.unreadLimit {
            try await Task.sleep(for: .milliseconds(5))
        }
        // More has arrived and waits below, unread.
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(await pair.answerer.peer.unaccepted < ChannelTable.unreadLimit + 61_000)
        // Long announcements interleave, so the order in which they are complete says nothing.
        var numbers: Set<String> = []
        var found: DataChannel?
        for _ in 0...count {
            let channel = try await pair.answererLog.channel()
            if channel.label == "later" {
                found = channel
                continue
            }
            numbers.insert(String(channel.label.prefix { $0 != "x" }))
            channel.setHandlers(onMessage: { _ in })
        }
        #expect(numbers == Set((0..<count).map(String.init)))
        let last = try #require(found)
        #expect(await last.messages.first { _ in true } == .text("hello"))
        while await pair.answerer.peer.unaccepted > 100 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(first.state == .open)
        await pair.close()
    }
}
