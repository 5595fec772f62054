import AppCore
import Cryptography
import Foundation
import Host
import Rendezvous
import Rooms

/// What the demo needs: a rendezvous server on a free loopback port and two hosts with profiles of their own.
///
/// It does what two people would do (it dispatches actions) and looks where they would look (the state). Every wait has
/// a limit; when one is passed, the demo ends with a sentence about what did not happen.
struct DemoSetup {
    let server: RendezvousServer
    let ada: DemoPerson
    let ben: DemoPerson
    let url: String
    let folder: String
    let timeline: DemoTimeline

    init(folder: String, core: String?, timeline: DemoTimeline) async throws {
        self.folder = folder
        self.timeline = timeline
        server = try RendezvousServer(RendezvousConfiguration())
        let port = try await server.start()
        timeline.say("server", "listens on 127.0.0.1:\(port)")
        url = "http://127.0.0.1:\(port)"
        ada = try await DemoPerson("Ada", profile: folder + "/ada", server: url, core: core)
        ben = try await DemoPerson("Ben", profile: folder + "/ben", server: url, core: core)
    }

    func play(messages count: Int, file: String?) async throws -> DemoReport {
        let code = try await meet()
        let connectMs = try await connect()
        let path = try await path()
        var tally = DemoReport.Messages()
        let roundTrips = try await talk(count, &tally)
        let sent = try await send(file: file ?? makeFile())
        let reconnected = try await interrupt(&tally)
        let verified = try await bothVerified()
        let sealed = try await defendSeals()
        let note = try await writeTogether()
        let purged = try await part()
        let report = DemoReport(
            ok: verified && sent.sha256Match && reconnected && purged && tally.lost == 0 && tally.duplicated == 0
                && tally.acknowledged == tally.sent && sealed.isSound && note.convergedEqual,
            code: code,
            verified: verified,
            path: path,
            connectMs: connectMs,
            rttMicros: DemoReport.RoundTrip(roundTrips),
            messages: tally,
            sealed: sealed,
            note: note,
            file: sent,
            reconnected: reconnected,
            purged: purged
        )
        return report
    }

    func clear() async {
        await ada.host.stop()
        await ben.host.stop()
        await server.stop()
    }

    // The acts.

    /// Ada opens a room and reads the code out; Ben types it in.
    private func meet() async throws -> String {
        await ada.host.dispatch(.rooms(.createRoom(name: "Ben", expiresIn: 300)))
        let room = try await ada.expect("a join code") { state in
            state.rooms.first.flatMap { $0.status == .pending ? $0 : nil }
        }
        guard let digits = room.code, let ref = room.words else {
            throw CommandFailure("the room has no code", .software)
        }
        guard let words = await ada.host.secret(ref) else { throw CommandFailure("the words were lost", .software) }
        let code = "\(digits)-\(words)"
        timeline.say("Ada", "opens a room; the code is \(code) (the server knows only \(digits))")
        let typed = try await ben.host.keep(secret: words)
        await ben.host.dispatch(.rooms(.joinRoom(code: digits, words: typed, name: "Ada")))
        timeline.say("Ben", "joins with code and words")
        return code
    }

    private func connect() async throws -> Double {
        let start = ContinuousClock.now
        for person in [ada, ben] {
            let room = try await person.expect("the room to be accepted") { state in
                state.rooms.first.flatMap { $0.status == .accepted ? $0.id : nil }
            }
            await person.host.dispatch(.rooms(.openRoom(room: room)))
        }
        for person in [ada, ben] { try await person.untilTalking() }
        let milliseconds = (ContinuousClock.now - start).milliseconds
        timeline.say("both", String(format: "connected in %.1f ms and verified by the words", milliseconds))
        return milliseconds
    }

    private func path() async throws -> String {
        let path = try await ada.expect("the path") { $0.rooms.first?.live.path }
        timeline.say("both", "talk peer to peer, path: \(path.rawValue)")
        return path.rawValue
    }

    private func bothVerified() async throws -> Bool {
        var verified = true
        for person in [ada, ben] {
            let outcome = try await person.expect("the verification") { $0.rooms.first?.live.verification }
            verified = verified && outcome == .verified
        }
        return verified
    }

    /// Each says `count` things, one after the other, and waits for each acknowledgement.
    private func talk(_ count: Int, _ tally: inout DemoReport.Messages) async throws -> [Int] {
        var roundTrips: [Int] = []
        for (speaker, listener) in [(ada, ben), (ben, ada)] {
            let texts = (1...count).map { "\(speaker.name) says \($0)" }
            for text in texts { roundTrips.append(try await speaker.sayAndWait(text)) }
            tally.count(
                texts, acknowledged: await speaker.acknowledged(from: "\(speaker.name) says"),
                heard: await listener.heard(from: "\(speaker.name) says"))
        }
        let times = DemoReport.RoundTrip(roundTrips)
        timeline.say(
            "both",
            "said \(count) things each; acknowledged in \(times.p50) µs (median), \(times.p99) µs (99th percentile)")
        return roundTrips
    }

    /// Ada sends a file and Ben accepts it.
    private func send(file path: String) async throws -> DemoReport.File {
        let name = (path as NSString).lastPathComponent
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber else {
            throw CommandFailure("\(path) cannot be read; name another file with --file", .noInput)
        }
        await ada.host.dispatch(
            .chat(.sendFile(room: try await ada.room(), name: name, bytes: size.int64Value, handle: path, media: nil)))
        let offer = try await ben.expect("the offer of the file") { state in
            state.rooms.first?.messages.all.last { $0.transfer?.state == .offered && $0.direction == .received }?.id
        }
        let start = ContinuousClock.now
        await ben.host.dispatch(.chat(.acceptFile(room: try await ben.room(), message: offer)))
        let received = try await ben.expect("the file") { state in
            state.rooms.first?.messages[offer]?.transfer?.path
        }
        let seconds = (ContinuousClock.now - start).milliseconds / 1000
        let matches = try digest(path) == digest(received)
        let speed = (size.doubleValue / 1_000_000 / seconds * 10).rounded() / 10
        timeline.say(
            "Ada", "sent \(name), \(size.intValue) bytes at \(speed) MB/s; SHA-256 \(matches ? "matches" : "differs")")
        return DemoReport.File(bytes: size.intValue, sha256Match: matches, megabytesPerSecond: speed)
    }

    private func makeFile() throws -> String {
        let path = folder + "/holiday.bin"
        try Data(SecureRandom.bytes(32 << 20)).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func digest(_ path: String) throws -> [UInt8] {
        HashFunction.sha256.digest(Array(try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)))
    }

    /// The network goes away without a word. Both write on; when it is back, everything arrives once and in order.
    private func interrupt(_ tally: inout DemoReport.Messages) async throws -> Bool {
        let pairs = [(ada, ben), (ben, ada)]
        let start = ContinuousClock.now
        for (person, _) in pairs { await person.host.sever(try await person.room()) }
        timeline.say("network", "gone; both write on")
        for number in 1...5 {
            for (speaker, _) in pairs { try await speaker.say("\(speaker.name) writes \(number)") }
        }
        // Both may be back before anybody looks, but what they wrote can only have gone over another connection.
        for (person, _) in pairs {
            try await person.untilDelivered()
            try await person.untilTalking()
        }
        var inOrder = true
        for (speaker, listener) in pairs {
            let texts = (1...5).map { "\(speaker.name) writes \($0)" }
            let heard = await listener.heard(from: "\(speaker.name) writes")
            let acknowledged = await speaker.acknowledged(from: "\(speaker.name) writes")
            tally.count(texts, acknowledged: acknowledged, heard: heard)
            inOrder = inOrder && heard == texts
        }
        let time = String(format: "%.0f", (ContinuousClock.now - start).milliseconds)
        timeline.say(
            "both",
            "found each other again after \(time) ms; what was written meanwhile arrived once, \(inOrder ? "in order" : "OUT OF ORDER")"
        )
        return inOrder
    }

    /// Ada leaves, both delete the room, and the server is asked what it still knows.
    private func part() async throws -> Bool {
        await ada.host.dispatch(.rooms(.leaveRoom(room: try await ada.room())))
        try await ben.expect("the goodbye") { state in
            state.rooms.first.flatMap { $0.live.link == .connected ? nil : true }
        }
        timeline.say("Ada", "leaves; Ben sees it")
        for person in [ada, ben] {
            await person.host.dispatch(.rooms(.deleteRoom(room: try await person.room())))
            try await person.expect("the purge") { state in
                state.rooms.isEmpty
                    && !state.pendingEffects.byID.values.contains { kind in
                        if case .deleteRooms = kind { true } else { false }
                    } ? true : nil
            }
        }
        let left = try await ServerCounts(url: url)
        let purged = left.rooms == 0 && left.codes == 0
        timeline.say("server", purged ? "has forgotten both" : "still knows \(left.rooms) rooms, \(left.codes) codes")
        return purged
    }
}
