import Foundation
import Networking
import Storage
import Testing

@testable import AppCore
@testable import Host

/// Messages that are on the disk and not in memory.
@Suite(.timeLimit(.minutes(5))) struct HistoryHostTests {
    private static let count = 1000

    private static func id(_ order: Int) -> AppCore.MessageID { MessageID("m\(order)") }

    /// A profile with a room in which a lot was said: every second message was sent, and every tenth answers the third.
    private static func filled(
        expiring: Set<Int> = [], asked: Set<Int> = [], seen: Int = count
    ) throws -> (ProfilePlace, RoomID) {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        let profile = try Profile(path: place.folder)
        defer { profile.close() }
        let room = try #require(
            try profile.records().lazy.compactMap { if case .room(let id) = $0.key { id } else { nil } }.first)
        var records = try profile.records().compactMap { record -> (key: RecordKey, value: [UInt8]?)? in
            switch record.key {
            case .message, .log: return (record.key, nil)
            case .room:
                var known = try JSON.decode(Room.self, from: record.json.utf8)
                known.seenUpTo = UInt64(seen)
                return (record.key, try JSON.encode(known))
            default: return nil
            }
        }
        for order in 1...count {
            var message = Message(
                id: id(order), order: UInt64(order), direction: order.isMultiple(of: 2) ? .sent : .received,
                body: .text("text \(order)"), at: Timestamp(milliseconds: Int64(order)),
                sentAt: Timestamp(milliseconds: Int64(order)), status: .delivered)
            if asked.contains(order) {
                message.change = MessageChange(
                    id: "c", kind: .edited, version: 1, state: .waiting, at: message.at, telling: nil)
            }
            if expiring.contains(order) { message.expiresAt = Timestamp(milliseconds: 5) }
            if order.isMultiple(of: 10) {
                message.quote = try JSON.decode(Quote.self, from: #"{"message":"m3","excerpt":"text 3"}"#.utf8)
            }
            records.append((.message(room, message.id), try JSON.encode(message)))
        }
        try profile.save(records, durably: true)
        return (place, room)
    }

    private static func rows(_ place: ProfilePlace) async throws -> Int {
        let host = try #require(place.host)
        return try await host.profile.read { try $0.first("SELECT count(*) FROM messages") { try $0[0] as Int } } ?? 0
    }

    /// The first start after a change of the version has them all, and lets them go.
    private static func started(_ place: ProfilePlace, _ room: RoomID) async throws -> AppHost {
        let host = try await place.start(isActive: false)
        let (count, loaded) = await host.read { ($0.rooms[room]?.messages.count, $0.rooms[room]?.messages.all.count) }
        #expect(count == Self.count && loaded == Profile.recentMessages)
        return host
    }

    @Test func aStartTakesTheNewestIntoMemoryAndPagesBringTheOthers() async throws {
        let (place, room) = try Self.filled(asked: [50])
        _ = try await Self.started(place, room)
        let host = try await Self.started(place, room)
        #expect(await host.read { $0.rooms[room]?.messages.all.first?.order } == 801)
        // Something waits for it.
        #expect(await host.read { $0.rooms[room]?.messages["m50"]?.order } == 50)
        await host.dispatch(.chat(.loadEarlier(room: room, message: Self.id(801))))
        try await place.expect("a page") { $0.rooms[room]?.messages.all.first?.order == 601 ? true : nil }
        await host.dispatch(.chat(.findMessage(room: room, message: Self.id(100))))
        try await place.expect("a message and what is around it") {
            $0.rooms[room]?.messages["m100"] != nil ? true : nil
        }
        // Before 1 there is nothing; from 201 to 600 only the disk has them, but for the one that something waits for.
        #expect(await host.read { $0.rooms[room]?.messages.gaps.map(\.count) } == [400])
        #expect(await host.read { $0.rooms[room]?.messages.count } == Self.count)
        await place.stop()
    }

    /// What nobody has seen stays on the disk like everything else, and is counted.
    @Test(arguments: [0, 300, 900]) func whatIsNewIsCountedAndFound(seen: Int) async throws {
        let (place, room) = try Self.filled(seen: seen)
        _ = try await Self.started(place, room)
        let host = try await Self.started(place, room)
        #expect(await host.read { $0.rooms[room]?.unreadCount } == (Self.count - seen) / 2)
        #expect(await host.read { $0.rooms[room]?.messages.all.first?.order } == 801)
        await host.dispatch(.app(.tellSeen))
        await host.dispatch(.app(.becameActive))
        await host.dispatch(.app(.navigate(to: Screen(.chat, room: room))))
        let first = Self.id(seen + 1)
        try await place.expect("where it begins") { $0.rooms[room]?.messages.contains(first) == true ? true : nil }
        let unseen = await host.tree.find("chat.messages")?.facts.unseen
        #expect(unseen?.first == "message.\(first)" && unseen?.count == (Self.count - seen) / 2)
        #expect(await host.read { $0.rooms[room]?.messages.count } == Self.count)
        await host.dispatch(.app(.seen(room: room, upTo: first)))
        #expect(await host.read { $0.rooms[room]?.unreadCount } == (Self.count - seen) / 2 - 1)
        await host.dispatch(.app(.seen(room: room, upTo: Self.id(Self.count))))
        #expect(await host.read { $0.rooms[room]?.unreadCount } == 0)
        await place.stop()
    }

    /// Who looks for a message far behind what was seen is told what is unread before it, whatever the messages say.
    @Test(arguments: [(0, 700, 348), (300, 700, 198), (650, 700, 23), (699, 700, 0)])
    func whatIsUnreadBeforeAFoundMessageIsCounted(seen: Int, wanted: Int, unread: Int) async throws {
        let (place, room) = try Self.filled(seen: seen)
        let host = try await Self.started(place, room)
        let answer = try await host.history(
            Effect(
                id: EffectID(7),
                kind: .findMessage(room: room, message: Self.id(wanted), limit: 8, seen: UInt64(seen))))
        guard case .historyLoaded(_, let records, let earlier, let counted) = answer else {
            return #expect(Bool(false), "no history")
        }
        #expect(records.first?.message?.order == UInt64(wanted - 4) && earlier == wanted - 5)
        #expect(counted ?? 0 == unread)
        await place.stop()
    }

    @Test func nobodyWritesThatTheySentSomethingElse() throws {
        for (direction, isReceived) in [(Message.Direction.sent, false), (.received, true), (.note, false)] {
            let message = Message(
                id: "m", order: 1, direction: direction, body: .text(#""direction":"received""#),
                at: Timestamp(milliseconds: 0),
                sentAt: Timestamp(milliseconds: 0), status: .delivered)
            #expect(Profile.isReceived(try JSON.encode(message)) == isReceived)
        }
    }

    @Test(arguments: [(0, 1000, 1000, 1000), (0, 1000, 100, 100), (500, 505, 100, 505), (1000, 1000, 10, 1000)])
    func theDiskNamesWhatThePeerSaid(after: UInt64, through: UInt64, limit: Int, end: UInt64) async throws {
        let (place, room) = try Self.filled()
        let host = try await Self.started(place, room)
        let answer = try await host.history(
            Effect(id: EffectID(7), kind: .listReceived(room: room, after: after, through: through, limit: limit)))
        let expected = (after + 1..<max(end, after) + 1).filter { !$0.isMultiple(of: 2) }.map { Self.id(Int($0)) }
        #expect(answer == .receivedListed(effect: EffectID(7), messages: expected, through: end))
        await place.stop()
    }

    /// The more rooms there are, the fewer messages of each, whether somebody has seen them or not.
    @Test(arguments: [(100, 50, count), (100, 50, 0), (1000, 20, count)])
    func manyRoomsTakeFewerMessages(rooms: Int, each: Int, seen: Int) async throws {
        let (place, room) = try Self.filled(seen: seen)
        _ = try await Self.started(place, room)
        await place.stop()
        let profile = try Profile(path: place.folder)
        let model = try #require(try profile.records().first { $0.key == .room(room) })
        try profile.save(
            (1..<rooms).map { number in
                let id = RoomID("other-\(number)")
                return (.room(id), Array(model.json.replacing(room.text, with: id.text).utf8))
            }, durably: true)
        profile.close()
        let host = try await place.start(isActive: false)
        let (loaded, count) = await host.read { ($0.rooms[room]?.messages.all.count, $0.rooms[room]?.messages.count) }
        #expect(loaded == each && count == Self.count)
        #expect(await host.read { $0.rooms[room]?.unreadCount } == (Self.count - seen) / 2)
        #expect(await host.read { $0.rooms[room]?.messages.gaps.map(\.count) } == [Self.count - each])
        let first = Self.id(Self.count - each + 1)
        await host.dispatch(.chat(.loadEarlier(room: room, message: first)))
        try await place.expect("a page") { $0.rooms[room]?.messages.isMissing(before: first) == false ? true : nil }
        await place.stop()
    }

    @Test func whatIsNamedChangesOnTheDisk() async throws {
        let (place, room) = try Self.filled()
        var host = try await Self.started(place, room)
        await host.dispatch(.event(.receipts(room: room, messages: ["m2", "m4", "nonsense"])))
        await host.dispatch(.chat(.react(room: room, message: "m6", emoji: "👍")))
        await host.dispatch(.chat(.deleteMessage(room: room, message: "m3")))
        #expect(await host.read { $0.rooms[room]?.messages.count } == Self.count - 1)
        host = try await place.start(isActive: false)
        await host.dispatch(.chat(.findMessage(room: room, message: "m2")))
        try await place.expect("them again") { $0.rooms[room]?.messages.position(of: "m10") != nil ? true : nil }
        let messages = await host.read { $0.rooms[room]?.messages }
        #expect(messages?["m2"]?.status == .read && messages?["m4"]?.status == .read)
        #expect(messages?["m6"]?.reactions?.first?.emoji == "👍" && messages?["m3"] == nil)
        // Nothing is left of it where it was answered.
        #expect(messages?["m10"]?.quote?.excerpt == "" && messages?["m10"]?.quote?.message == "m3")
        await place.stop()
    }

    @Test(arguments: [(count, 0), (0, 150)]) func timedMessagesGoThatOnlyTheDiskHas(seen: Int, left: Int) async throws {
        let (place, room) = try Self.filled(expiring: Set(1...700).union([990]), seen: seen)
        let host = try await place.start(isActive: false)
        try await place.expect("what is left") { $0.rooms[room]?.messages.count == 299 ? true : nil }
        #expect(await host.read { $0.rooms[room]?.unreadCount } == left)
        #expect(try await Self.rows(place) == 299)
        await place.stop()
    }

    /// Such a run says nothing of how many there are, so what was counted before does not hold after it.
    @Test func aRunWithAllMessagesInMemoryLeavesNoWrongCounts() async throws {
        let (place, room) = try Self.filled()
        _ = try await Self.started(place, room)
        await place.stop()
        var configuration = HostConfiguration(profile: place.folder)
        configuration.recentMessages = nil
        let host = try AppHost(configuration)
        await host.start()
        #expect(await host.read { $0.rooms[room]?.messages.all.count } == Self.count)
        await host.dispatch(.chat(.sendText(room: room, text: "one more")))
        await host.stop()
        try await place.start(isActive: false)
        try await place.expect("all of them") { $0.rooms[room]?.messages.count == Self.count + 1 ? true : nil }
        await place.stop()
    }

    /// Where nothing is kept any more, what nobody has seen is still there to be seen.
    @Test func whatIsNewStaysWhereTheRoomKeepsNothing() async throws {
        let (place, room) = try Self.filled(seen: 400)
        let host = try await Self.started(place, room)
        await host.dispatch(.chat(.setEphemeral(room: room, on: true)))
        #expect(try await Self.rows(place) == 0)
        let (count, unread) = await host.read { ($0.rooms[room]?.messages.all.count, $0.rooms[room]?.unreadCount) }
        #expect(count == 600 && unread == 300)
        await place.stop()
    }

    @Test func aRoomTakesAllItsMessagesAlong() async throws {
        let (place, room) = try Self.filled()
        let host = try await Self.started(place, room)
        await host.dispatch(.chat(.setEphemeral(room: room, on: true)))
        #expect(try await Self.rows(place) == 0)
        await host.dispatch(.chat(.setEphemeral(room: room, on: false)))
        #expect(try await Self.rows(place) == Profile.recentMessages)
        await host.dispatch(.rooms(.deleteRoom(room: room)))
        #expect(try await Self.rows(place) == 0)
        await place.stop()
    }

    @Test(arguments: [
        ("TEXT 1000", ["m1000"]), ("TEXT 777", ["m777"]), ("text 1000", ["m1000"]), ("nothing", []),
        (
            "tex 99 9",
            (990...999).map { "m\($0)" } + ["m199", "m299", "m399", "m499", "m599", "m699", "m799", "m899", "m99"]
        ),
        ("ｔext 500", ["m500"]), ("\" \\", []),
    ])
    func wordsAreFoundOnTheDisk(query: String, expected: [String]) async throws {
        let (place, room) = try Self.filled()
        let host = try await Self.started(place, room)
        await host.dispatch(.rooms(.searchMessages(query: query, room: nil)))
        let hits = try await place.expect("the end of the search") { state in
            state.views.main.search.flatMap { $0.effect == nil ? $0.hits : nil }
        }
        let orders = hits.compactMap { Int($0.message.text.dropFirst()) }
        #expect(orders == orders.sorted(by: >))
        #expect(Set(hits.map(\.message.text)) == Set(expected))
        await host.dispatch(.rooms(.searchMessages(query: "", room: nil)))
        await place.stop()
    }

    @Test(arguments: [
        ("cafe", "Un CAFÉ, s'il vous plaît", true), ("шалом", "ШАЛОМ", true), ("שלום", "אמר שלום לכולם", true),
        ("你好", "他说你好。", true), ("melon", "lemon", false), ("a\nb", "a\tb", true), ("strasse", "Straße", true),
        ("\"quoted\"", "he \"quoted\" it", true), ("back\\slash", "a back\\slash", true), ("a/b", "see a/b", true),
    ])
    func wordsAreFoundInAnyScript(query: String, text: String, isFound: Bool) throws {
        let message = Message(
            id: "m", order: 1, direction: .sent, body: .text(text), at: Timestamp(milliseconds: 0),
            sentAt: Timestamp(milliseconds: 0), status: .read)
        let hit = MessageSearcher(query).hit(try JSON.encode(message), in: "r")
        #expect((hit != nil) == isFound)
    }

    /// Version 0.2 kept messages among the records. The move to their table is broken off in the middle.
    @Test(arguments: [0, 1, 499, 500, 1000]) func messagesOfAnOlderProfileMove(moved: Int) async throws {
        let (place, room) = try Self.filled()
        let profile = try Profile(path: place.folder)
        try profile.write { database in
            try database.execute("DELETE FROM records WHERE path LIKE 'log/%'")
            try database.execute(
                """
                INSERT INTO records SELECT 'message/' || room || '/' || id, value FROM messages
                WHERE ord > \(moved) OR id = 'm7'
                """)
            try database.execute("DELETE FROM messages WHERE ord > \(moved) OR id = 'm7'")
        }
        if moved == 0 {
            // Broken off behind the first step, it goes on.
            var told: [Int] = []
            try profile.moveMessages { done, all in
                told.append(done)
                #expect(all == Self.count)
            }
            #expect(told.last == Self.count && told == told.sorted())
        }
        profile.close()
        let host = try await Self.started(place, room)
        #expect(try await Self.rows(place) == Self.count)
        let left: Int? = try await host.profile.read {
            try $0.first("SELECT count(*) FROM records WHERE path LIKE 'message/%'") { try $0[0] as Int }
        }
        #expect(left == 0)
        await place.stop()
    }

    @Test func aClientThatScrollsBackGetsWhatTheDiskHas() async throws {
        let (place, room) = try Self.filled()
        let host = try await place.start(isActive: false)
        let server = AttachServer(host)
        try await server.start(profile: place.folder)
        var limits = LineChannel.Limits()
        limits.line = 64 << 20
        let channel = try LineChannel(path: AttachServer.path(of: place.folder), limits: limits)
        try await channel.greet()
        channel.say(.look(windows: nil, front: true))
        channel.say(.dispatch(n: 1, fresh: nil, action: .app(.navigate(to: Screen(.chat, room: room)))))
        var tree: SemanticNode?
        for anchor in ["m801", "m700", "m20", "m999"] {
            let windows = ["chat.messages": Window.Request(anchor: "message.\(anchor)", before: 30, after: 10)]
            channel.say(.look(windows: windows, front: nil))
            let (rows, first) = try await Self.rows(of: channel, around: "message.\(anchor)", before: 19, &tree)
            #expect(rows.contains("message.\(anchor)"))
            let order = try #require(Int(rows[0].dropFirst("message.m".count)))
            #expect(first == order - 1)
        }
        channel.finish()
        await server.stop()
        await place.stop()
    }

    @Test func aTalkOpensWithTheRowsThatFillAScreen() async throws {
        let (place, room) = try Self.filled()
        let host = try await place.start(isActive: false)
        let server = AttachServer(host)
        try await server.start(profile: place.folder)
        let channel = try LineChannel(path: AttachServer.path(of: place.folder))
        try await channel.greet()
        channel.say(.look(windows: nil, front: true))
        channel.say(.dispatch(n: 1, fresh: nil, action: .app(.navigate(to: Screen(.chat, room: room)))))
        var (tree, counts) = (SemanticNode?.none, [Int]())
        while counts.last ?? 0 < 200, let line = await channel.next() {
            switch try AttachLine.decode(HostFrame.self, from: line) {
            case .tree(let rev, let root, _):
                tree = root
                channel.say(.ack(rev: rev))
            case .patch(_, let rev, let removed, let placed, let updated):
                tree?.apply(removed: removed ?? [], placed: placed ?? [], updated: updated ?? [])
                channel.say(.ack(rev: rev))
            default: break
            }
            let count = tree?.find("chat.messages")?.children.count ?? 0
            if count > 0, counts.last != count { counts.append(count) }
        }
        #expect(counts.first == 40 && counts.last == 200, "\(counts)")
        channel.finish()
        await server.stop()
        await place.stop()
    }

    /// The rows that a client is shown, once so many stand before an anchor.
    private static func rows(
        of channel: LineChannel, around anchor: String, before: Int, _ tree: inout SemanticNode?
    ) async throws -> (rows: [String], first: Int) {
        while let line = await channel.next() {
            switch try AttachLine.decode(HostFrame.self, from: line) {
            case .tree(let rev, let root, _):
                tree = root
                channel.say(.ack(rev: rev))
            case .patch(_, let rev, let removed, let placed, let updated):
                tree?.apply(removed: removed ?? [], placed: placed ?? [], updated: updated ?? [])
                channel.say(.ack(rev: rev))
            default: break
            }
            guard let list = tree?.find("chat.messages"), let window = list.window else { continue }
            let rows = list.children.map(\.id)
            if let place = rows.firstIndex(of: anchor), place >= before { return (rows, window.first) }
        }
        throw LineChannel.Ended(after: nil)
    }
}
