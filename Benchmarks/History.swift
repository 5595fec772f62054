import AppCore
import Foundation
import Host
import Scenarios

extension Suite {
    static let history = Suite(name: "history", about: "rooms with long histories, in a host as it runs") { recorder in
        for count in [1000, 10_000, 100_000] { try await recordRoom(of: count, recorder) }
        for count in [100, 1000] { try await recordStart(rooms: 100, messages: count, isRead: true, recorder) }
        try await recordStart(rooms: 100, messages: 1000, isRead: false, recorder)
    }

    /// What one room costs with so many messages.
    private static func recordRoom(of count: Int, _ recorder: Recorder) async throws {
        let name = "\(count) messages in a room"
        let place = { (line: String) in Plot.Place(line: line, size: Double(count)) }
        let profile = try FilledProfile(rooms: 1, messages: count)
        defer { profile.remove() }
        // The first start counts them.
        try await profile.run { _ in }
        var starts: [Double] = []
        for _ in 0..<5 { starts.append(try await profile.run { _ in }) }
        await recorder.record("\(name): start", starts, unit: "ms", better: .lower, aim: 300, place: place("start"))
        let room = profile.rooms[0]
        try await profile.run { host in
            let windows = ["chat.messages": Window.Request(before: 200, after: 0)]
            let screen = { () async -> SemanticNode? in await host.tree(for: .main, windows: windows) }
            let open = await milliseconds(of: 1) {
                await host.dispatch(.app(.navigate(to: Screen(.chat, room: room))))
                _ = await screen()
            }
            await recorder.record(
                "\(name): opening it", open, unit: "ms", better: .lower, aim: 20, place: place("opening it"))
            var shown = await screen()
            var (sizes, keys): ([Double], [Double]) = ([], [])
            for number in 0..<50 {
                keys += await milliseconds(of: 1) {
                    await host.dispatch(.chat(.setDraft(room: room, text: String(repeating: "x", count: number + 1))))
                }
                sizes.append(bytes(from: &shown, to: await screen()))
            }
            await recorder.record(
                "\(name): a key press", keys, unit: "ms", better: .lower, aim: 1, place: place("a key press"))
            await recorder.record(
                "\(name): a key press on the wire", sizes, unit: "bytes", better: .lower, aim: 2048,
                place: place("a key press on the wire"))
            await host.dispatch(.chat(.setDraft(room: room, text: "")))
            shown = await screen()
            sizes = []
            for number in 0..<50 {
                await host.dispatch(.chat(.sendText(room: room, text: "A message of middle length, number \(number)")))
                sizes.append(bytes(from: &shown, to: await screen()))
            }
            await recorder.record(
                "\(name): a new message on the wire", sizes, unit: "bytes", better: .lower, aim: 1024,
                place: place("a new message on the wire"))
            let pages = try await pages(5, of: room, host)
            if !pages.isEmpty {
                await recorder.record(
                    "\(name): a page of 200", pages, unit: "ms", better: .lower, place: place("a page of 200"))
            }
            let search = await milliseconds(of: 3) {
                await host.dispatch(.rooms(.searchMessages(query: "nothing like this", room: nil)))
                let _: Bool? = await host.wait(upTo: .seconds(60)) { state in
                    state.views.main.search.map { $0.effect == nil } == true ? true : nil
                }
            }
            await recorder.record(
                "\(name): a search for what is not there", search, unit: "ms", better: .lower,
                place: place("a search for what is not there"))
        }
    }

    private static func recordStart(
        rooms: Int, messages: Int, isRead: Bool, _ recorder: Recorder
    ) async throws {
        let profile = try FilledProfile(rooms: rooms, messages: messages, isRead: isRead)
        defer { profile.remove() }
        try await profile.run { _ in }
        var starts: [Double] = []
        for _ in 0..<5 { starts.append(try await profile.run { _ in }) }
        await recorder.record(
            "start with \(rooms) rooms of \(messages)\(isRead ? "" : " unread") messages", starts, unit: "ms",
            better: .lower, aim: 300)
    }

    /// Milliseconds for each of some pages, from the wish to what can be shown.
    private static func pages(_ count: Int, of room: RoomID, _ host: AppHost) async throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<count {
            guard let first = await host.read({ $0.rooms[room]?.messages.all.first?.id }),
                await host.read({ $0.rooms[room]?.messages.isMissing(before: first) }) == true
            else { break }
            times += await milliseconds(of: 1) {
                await host.dispatch(.chat(.loadEarlier(room: room, message: first)))
                let _: Bool? = await host.wait(upTo: .seconds(60)) { state in
                    state.rooms[room]?.messages.isMissing(before: first) == false ? true : nil
                }
            }
        }
        return times
    }

    private static func milliseconds(of rounds: Int, _ work: () async -> Void) async -> [Double] {
        var times: [Double] = []
        for _ in 0..<rounds { times.append(seconds(await ContinuousClock().measure { await work() }) * 1000) }
        return times
    }

    /// Bytes of the patch between two trees, as a client gets it.
    private static func bytes(from shown: inout SemanticNode?, to tree: SemanticNode?) -> Double {
        defer { shown = tree }
        guard let old = shown, let tree else { return 0 }
        let diff = TreeDiff(from: old, to: tree)
        let frame = HostFrame.patch(from: 1, rev: 2, removed: diff.removed, placed: diff.placed, updated: diff.updated)
        return Double(AttachLine.encode(frame).count)
    }
}

/// A profile with rooms in which as much was said.
struct FilledProfile {
    let folder: String
    let rooms: [RoomID]

    init(rooms count: Int, messages: Int, isRead: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("history-\(UUID().uuidString)").path
        let driver = try Scenario.named("verified_chat").play().driver
        let known = driver.state.rooms[driver.state.rooms.startIndex].id
        let saved = Dictionary(uniqueKeysWithValues: driver.records().map { ($0.key, $0.json) })
        guard let model = saved[.room(known)], let message = saved[.message(known, "peer-1")] else {
            throw CocoaError(.fileReadUnknown)
        }
        rooms = (0..<count).map { RoomID("room-\($0)") }
        var records: [Record] = driver.records().filter { $0.key == .settings || $0.key == .counters }
        for room in rooms {
            let json = model.replacing(known.text, with: room.text)
                .replacing(/"seen_up_to":\d+/, with: "\"seen_up_to\":\(isRead ? messages : 0)")
            records.append(Record(key: .room(room), json: json))
            for order in 1...messages {
                let id = MessageID("m\(order)")
                let json = message.replacing("\"peer-1\"", with: "\"m\(order)\"")
                    .replacing("\"order\":2", with: "\"order\":\(order)")
                records.append(Record(key: .message(room, id), json: json))
            }
        }
        try AppHost.fill(profile: folder, with: records)
    }

    /// Runs a host.
    /// - Returns: milliseconds until it had started.
    @discardableResult func run(_ body: (AppHost) async throws -> Void) async throws -> Double {
        let clock = ContinuousClock()
        let begin = clock.now
        let host = try AppHost(HostConfiguration(profile: folder))
        await host.start()
        let time = seconds(clock.now - begin) * 1000
        await host.dispatch(.app(.becameActive))
        try await body(host)
        await host.stop()
        return time
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
