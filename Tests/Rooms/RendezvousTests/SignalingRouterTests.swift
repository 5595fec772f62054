import Networking
import Testing
import Wire

@testable import Rendezvous

/// The signaling router alone: no sockets, no store, a test clock.
struct SignalingRouterTests {
    private static func board(_ change: (inout RendezvousLimits) -> Void = { _ in }) -> SignalingRouter {
        var limits = RendezvousLimits()
        change(&limits)
        return SignalingRouter(limits: limits)
    }

    private func join(_ board: inout SignalingRouter, _ socket: UInt64, _ side: Side, room: String = "r") {
        if board.clients[socket]?.isClosing == true { _ = board.closed(socket) }
        if board.clients[socket] == nil { _ = board.opened(socket, name: "client \(socket)", now: 0) }
        let text = #"{"type":"join_room","roomId":"\#(room)","deviceId":"d"}"#
        let question = SignalingQuestion.join(room: room, Proof(device: "d", ticket: nil as [UInt8]?))
        #expect(board.received(text, from: socket, now: 0) == [.ask(socket, question)])
        _ = board.answered(.join(.admitted(side)), to: socket)
    }

    private func watch(_ board: inout SignalingRouter, _ socket: UInt64, _ code: String, _ check: Check)
        -> [SignalingRouter.Output]
    {
        if board.clients[socket] == nil { _ = board.opened(socket, name: "client \(socket)", now: 0) }
        let asked = board.received(
            #"{"type":"watch","joinid":"\#(code)","deviceId":"d"}"#, from: socket, now: 0)
        guard case .ask? = asked.first else { return asked }
        return board.answered(.watch(check), to: socket)
    }

    @Test func messagesWaitForTheStoreInOrder() {
        var board = Self.board()
        _ = board.opened(1, name: "a", now: 0)
        let text = #"{"type":"join_room","roomId":"r","deviceId":"d"}"#
        #expect(board.received(text, from: 1, now: 0).count == 1)
        #expect(board.received(#"{"type":"leave_room"}"#, from: 1, now: 0).isEmpty)
        #expect(board.received(text, from: 1, now: 0).isEmpty)
        #expect(board.received(#"{"type":"ping"}"#, from: 1, now: 0).isEmpty)
        let first = board.answered(.join(.admitted(.guest)), to: 1)
        #expect(first.contains(.send(1, SignalingText.leftRoom("r"))))
        #expect(!first.contains(.send(1, SignalingText.pong)))
        #expect(board.answered(.join(.unknown), to: 1) == [.refuse(1, .invalidRoom), .send(1, SignalingText.pong)])
    }

    @Test func aSocketThatDoesNotWaitForTheStoreIsClosed() {
        var board = Self.board()
        _ = board.opened(1, name: "a", now: 0)
        _ = board.received(#"{"type":"join_room","roomId":"r"}"#, from: 1, now: 0)
        for _ in 0..<SignalingRouter.backlogLimit { #expect(board.received("{}", from: 1, now: 0).isEmpty) }
        #expect(board.received("{}", from: 1, now: 0).contains(.close(1, .tooManyMessages)))
    }

    @Test func whatWaitsForTheStoreIsCountedInBytes() {
        var board = Self.board()
        _ = board.opened(1, name: "a", now: 0)
        _ = board.received(#"{"type":"join_room","roomId":"r","deviceId":"d"}"#, from: 1, now: 0)
        let long = String(repeating: " ", count: 60_000)
        for _ in 0..<4 { #expect(board.received(long, from: 1, now: 0).isEmpty) }
        #expect(board.received(long, from: 1, now: 0).first == .close(1, .tooManyMessages))
    }

    @Test func messagesAreLimitedBySocket() {
        var board = Self.board { $0.messages = RateLimit(burst: 5, perMinute: 60) }
        for socket in [1, 2] as [UInt64] { _ = board.opened(socket, name: "", now: 0) }
        let ping = #"{"type":"ping"}"#
        for _ in 0..<5 { #expect(board.received(ping, from: 1, now: 0) == [.send(1, SignalingText.pong)]) }
        #expect(board.received(ping, from: 1, now: 0).contains(.close(1, .tooManyMessages)))
        #expect(board.received(ping, from: 2, now: 0) == [.send(2, SignalingText.pong)])
        // Messages of a closing socket are ignored.
        #expect(board.received(ping, from: 1, now: 10_000).isEmpty)
        for second in Timestamp(0)..<20 {
            #expect(board.received(ping, from: 2, now: 5000 + second * 1000) == [.send(2, SignalingText.pong)])
        }
    }

    @Test func nothingIsLeftOfWhoIsGone() {
        var board = Self.board()
        join(&board, 1, .creator)
        join(&board, 2, .guest)
        _ = watch(&board, 2, "482913", .pending(expiresAt: 10))
        func left(_ side: Side, _ name: String) -> SignalingRouter.Output {
            .node(.vacated(SignalingRouter.Seat(room: "r", side: side), name: name, .disconnected))
        }
        #expect(board.closed(2) == [.send(1, SignalingText.peerDisconnected), left(.guest, "client 2")])
        #expect(board.closed(1) == [left(.creator, "client 1")])
        #expect(board.clients.isEmpty && board.rooms.isEmpty && board.watches.isEmpty)
        #expect(board.closed(1).isEmpty)
        #expect(board.received("{}", from: 1, now: 0).isEmpty)
        #expect(board.answered(.join(.admitted(.creator)), to: 1).isEmpty)
        #expect(board.rooms.isEmpty)
    }

    @Test func anAnswerForASocketThatClosedMeanwhileSeatsNobody() {
        var board = Self.board()
        _ = board.opened(1, name: "a", now: 0)
        _ = board.received(#"{"type":"join_room","roomId":"r","deviceId":"d"}"#, from: 1, now: 0)
        _ = board.closed(1)
        #expect(board.answered(.join(.admitted(.creator)), to: 1).isEmpty)
        #expect(board.rooms.isEmpty && board.clients.isEmpty)
    }

    @Test func aReplacedSocketThatClosesLaterDisturbsNobody() {
        var board = Self.board()
        join(&board, 1, .creator)
        join(&board, 2, .guest)
        join(&board, 3, .guest)
        #expect(board.closed(2).isEmpty)
        #expect(board.rooms["r"] == SignalingRouter.LiveRoom(creator: 1, guest: 3))
    }

    @Test func watchesEndWithTheirCode() {
        var board = Self.board()
        #expect(
            watch(&board, 1, "482913", .pending(expiresAt: 1000)) == [.send(1, SignalingText.watching("482913"))])
        #expect(watch(&board, 2, "482913", .pending(expiresAt: 1000)).count == 1)
        #expect(board.tick(now: 999).isEmpty)
        let ended = SignalingText.watchEnded("482913", "expired")
        #expect(board.tick(now: 1000) == [.send(1, ended), .send(2, ended)])
        #expect(board.accepted("482913", room: "r").isEmpty)
        #expect(board.watches.isEmpty && board.clients[1]?.watches.isEmpty == true)
    }

    @Test func whatIsDueByThisClockIsDueAgainUntilABetterOneHasDecided() {
        var board = Self.board()
        _ = watch(&board, 1, "482913", .pending(expiresAt: 1000))
        #expect(board.takeDue(now: 999).isEmpty)
        #expect(board.takeDue(now: 1000) == ["482913"] && board.takeDue(now: 2999).isEmpty)
        #expect(board.takeDue(now: 3000) == ["482913"])
        #expect(
            board.heard("482913", .gone, reason: "expired") == [.send(1, SignalingText.watchEnded("482913", "expired"))]
        )
        #expect(board.takeDue(now: 9000).isEmpty)
    }

    @Test func watchesAreLimitedBySocket() {
        var board = Self.board { $0.watchesBySocket = 2 }
        for code in ["111111", "222222", "111111"] {
            #expect(watch(&board, 1, code, .pending(expiresAt: 10)) == [.send(1, SignalingText.watching(code))])
        }
        #expect(watch(&board, 1, "333333", .pending(expiresAt: 10)) == [.refuse(1, .tooManyWatches)])
    }

    @Test func aStoreThatFailsClosesTheSocketSoThatItsOwnerTriesAgain() {
        var board = Self.board()
        _ = board.opened(1, name: "a", now: 0)
        _ = board.received(#"{"type":"join_room","roomId":"r","deviceId":"d"}"#, from: 1, now: 0)
        #expect(board.answered(.failed, to: 1).contains(.close(1, .storeFailed)))
    }

    /// For any order of joins, leaves, cuts and returns: rooms and sockets agree on who is in which room.
    @Test(arguments: 0..<50)
    func seatsAndRoomsAlwaysAgree(_ seed: UInt64) {
        var random = Seeded(state: seed)
        var board = Self.board { $0.messages = .unlimited }
        for _ in 0..<200 {
            let socket = UInt64.random(in: 1...5, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2: join(&board, socket, Bool.random(using: &random) ? .creator : .guest, room: random.room())
            case 3: _ = board.received(#"{"type":"leave_room"}"#, from: socket, now: 0)
            case 4: _ = board.closed(socket)
            default: _ = board.removed(Removed(rooms: [random.room()]), reason: "deleted")
            }
            for (id, client) in board.clients {
                if let seat = client.seat { #expect(board.rooms[seat.room]?[seat.side] == id) }
            }
            for (id, room) in board.rooms {
                #expect(room.userCount > 0)
                for side in [Side.creator, .guest] {
                    if let socket = room[side] {
                        #expect(board.clients[socket]?.seat == SignalingRouter.Seat(room: id, side: side))
                    }
                }
            }
        }
    }
}

/// A generator (SplitMix64) that gives the same numbers for the same seed.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func room() -> String { Bool.random(using: &self) ? "r" : "s" }
}
