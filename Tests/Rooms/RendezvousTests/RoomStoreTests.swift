import Cryptography
import Foundation
import Storage
import Testing

@testable import Rendezvous

struct RoomStoreTests {
    private static let ticket = [UInt8](repeating: 1, count: 32)
    private static let otherTicket = [UInt8](repeating: 2, count: 32)
    private static let anna = Party(device: "anna", ticket: ticket)
    private static let bert = Party(device: "bert", ticket: otherTicket)
    private static let minute: Timestamp = 60_000
    private static let day: Timestamp = 86_400_000

    private func creation(_ code: String = "482913", by creator: Party = anna, limit: Int = 100) -> Creation {
        Creation(code: code, creator: creator, expiresAt: Self.minute, limit: limit)
    }

    private func acceptance(
        _ code: String = "482913", by guest: Party = bert, room: String = "room", limit: Int = 100
    ) -> Acceptance {
        Acceptance(code: code, guest: guest, room: room, grace: Self.day, limit: limit)
    }

    private func proof(_ party: Party) -> Proof { Proof(device: party.device, ticket: party.ticket) }

    @Test(arguments: TestStore.Kind.allCases) func aCodeExpiresToTheMillisecond(_ kind: TestStore.Kind) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        #expect(try store.create(creation(), now: 0) == .created(expiresAt: Self.minute))
        #expect(
            try store.check(code: "482913", by: proof(Self.anna), now: Self.minute - 1)
                == .pending(expiresAt: Self.minute))
        #expect(try store.check(code: "482913", by: proof(Self.anna), now: Self.minute) == .unknown)
        #expect(try store.accept(acceptance(), now: Self.minute) == .unknown)
        #expect(try store.create(creation(by: Self.bert), now: Self.minute) == .created(expiresAt: Self.minute))
        #expect(store.counts == StoreCounts(pendingRooms: 1, rooms: 0))
    }

    @Test(arguments: TestStore.Kind.allCases) func anAcceptanceWaitsForItsCreatorBeyondTheExpiryButNotForEver(
        _ kind: TestStore.Kind
    ) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        for creator in [Self.anna, Party(device: "anna", ticket: nil)] {
            let code = creator.ticket == nil ? "111111" : "482913"
            _ = try store.create(creation(code, by: creator), now: 0)
            #expect(try store.accept(acceptance(code, room: code), now: 1) == .accepted(room: code))
            #expect(try store.sweep(now: Self.minute, idleSince: 0) == Removed())
            #expect(try store.watch(code: code, by: proof(creator), now: Self.day) == .accepted(room: code))
            #expect(try store.accept(acceptance(code, by: Self.anna), now: Self.day) == .unknown)
            #expect(try store.watch(code: code, by: proof(creator), now: Self.day + 1) == .unknown)
        }
        #expect(try store.sweep(now: Self.day + 1, idleSince: 0).codes.sorted() == ["111111", "482913"])
        #expect(store.counts == StoreCounts(pendingRooms: 0, rooms: 2))
    }

    @Test(arguments: TestStore.Kind.allCases) func whatTheCreatorHasSeenIsKeptForAWhileOnly(_ kind: TestStore.Kind)
        async throws
    {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        _ = try store.create(creation(), now: 0)
        _ = try store.accept(acceptance(), now: 0)
        let seen = 10 * Self.minute
        #expect(try store.check(code: "482913", by: proof(Self.anna), now: seen) == .accepted(room: "room"))
        let end = seen + SQLiteRoomStore.repeatWindow
        #expect(try store.check(code: "482913", by: proof(Self.anna), now: end - 1) == .accepted(room: "room"))
        // Repeated requests do not prolong it: the time counts from the first answer.
        #expect(try store.sweep(now: end, idleSince: 0).codes == ["482913"])
    }

    @Test(arguments: TestStore.Kind.allCases) func aRepeatedRequestAfterARestartGetsANewTicketInPlaceOfTheLostOne(
        _ kind: TestStore.Kind
    ) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        let renewed = Party(device: "anna", ticket: [UInt8](repeating: 3, count: 32))
        _ = try store.create(creation(), now: 0)
        #expect(try store.create(creation(by: renewed), now: 1) == .created(expiresAt: Self.minute))
        #expect(try store.check(code: "482913", by: proof(Self.anna), now: 1) == .forbidden)
        _ = try store.accept(acceptance(), now: 1)
        let renewedGuest = Party(device: "bert", ticket: [UInt8](repeating: 4, count: 32))
        #expect(try store.accept(acceptance(by: renewedGuest, room: "other"), now: 2) == .repeated(room: "room"))
        #expect(try store.room("room")?.guest == Self.bert)
        #expect(try store.accept(acceptance(by: renewedGuest), now: 2) == .accepted(room: "room"))
        #expect(try store.room("room") == Room(id: "room", creator: renewed, guest: renewedGuest))
        #expect(try store.room("other") == nil)
        _ = try store.create(creation(), now: 3)
        #expect(try store.admit(to: "room", proof(Self.anna), now: 3) == .admitted(.creator))
        #expect(try store.admit(to: "room", proof(renewed), now: 3) == .forbidden)
    }

    @Test(arguments: TestStore.Kind.allCases) func roomsThatNobodyUsesAreForgotten(_ kind: TestStore.Kind) async throws
    {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        for code in ["111111", "222222", "333333"] {
            _ = try store.create(creation(code), now: 0)
            _ = try store.accept(acceptance(code, room: code), now: 0)
        }
        #expect(try store.admit(to: "111111", proof(Self.bert), now: 10 * Self.day) == .admitted(.guest))
        try store.touch(rooms: ["222222", "unknown"], now: 10 * Self.day)
        let removed = try store.sweep(now: 20 * Self.day, idleSince: 5 * Self.day)
        #expect(removed.rooms == ["333333"])
        #expect(store.counts.rooms == 2)
    }

    @Test(arguments: TestStore.Kind.allCases) func muchIsSweptInSlices(_ kind: TestStore.Kind) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        for number in 0..<25 { _ = try store.create(creation("\(100_000 + number)"), now: 0) }
        #expect(try store.sweep(now: Self.day, idleSince: 0, limit: 10).codes.count == 10)
        #expect(try store.sweep(now: Self.day, idleSince: 0, limit: 10).codes.count == 10)
        #expect(try store.sweep(now: Self.day, idleSince: 0, limit: 10).codes.count == 5)
        #expect(store.counts == StoreCounts())
    }

    /// A reservation keeps its random bytes as long as it lives, and no longer.
    @Test(arguments: TestStore.Kind.allCases) func aReservationIsToldFromEarlierOnes(_ kind: TestStore.Kind)
        async throws
    {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        var first = creation()
        first.nonce = [1, 2, 3]
        var again = creation(by: Party(device: "anna", ticket: Self.otherTicket))
        again.nonce = [4]
        #expect(try store.create(first, now: 0) == .created(expiresAt: Self.minute))
        #expect(try store.create(again, now: Self.minute - 1) == .repeated(nonce: [1, 2, 3]))
        #expect(try store.watch(code: "482913", by: proof(Self.anna), now: 0) == .pending(expiresAt: Self.minute))
        #expect(try store.create(again, now: Self.minute) == .created(expiresAt: Self.minute))
        #expect(try store.create(first, now: Self.minute - 1) == .repeated(nonce: [4]))
    }

    @Test(arguments: TestStore.Kind.allCases) func countsAreBounded(_ kind: TestStore.Kind) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        for code in ["111111", "222222"] { _ = try store.create(creation(code, limit: 2), now: 0) }
        #expect(try store.create(creation("333333", limit: 2), now: 0) == .full)
        #expect(try store.accept(acceptance("111111", limit: 1), now: 0) == .accepted(room: "room"))
        #expect(try store.accept(acceptance("222222", room: "second", limit: 1), now: 0) == .full)
    }

    @Test(arguments: TestStore.Kind.allCases) func oneGuestGetsTheRoom(_ kind: TestStore.Kind) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        _ = try store.create(creation(), now: 0)
        #expect(try store.create(creation(by: Self.bert), now: 0) == .codeInUse)
        #expect(try store.news(of: ["482913", "other"], now: 0) == ["other": .gone])
        #expect(try store.accept(acceptance(by: Self.anna), now: 0) == .conflict)
        #expect(try store.accept(acceptance(), now: 0) == .accepted(room: "room"))
        #expect(
            try store.news(of: ["other", "482913"], now: 0) == ["482913": .accepted(room: "room"), "other": .gone])
        #expect(try store.accept(acceptance(by: Party(device: "carl", ticket: nil), room: "x"), now: 0) == .conflict)
        #expect(try store.accept(acceptance(), now: Self.minute) == .accepted(room: "room"))
        #expect(try store.accept(acceptance(by: Party(device: "carl", ticket: nil)), now: Self.minute) == .unknown)
        #expect(try store.check(code: "482913", by: Proof(device: "carl", ticket: nil as [UInt8]?), now: 0) == .unknown)
        #expect(
            try store.check(code: "482913", by: Proof(device: "anna", ticket: nil as [UInt8]?), now: 0) == .forbidden)
    }

    @Test(arguments: TestStore.Kind.allCases) func aCreatorWithoutATicketIsToldOnce(_ kind: TestStore.Kind) async throws
    {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        let bare = Party(device: "anna", ticket: nil)
        _ = try store.create(creation(by: bare), now: 0)
        _ = try store.accept(acceptance(), now: 0)
        #expect(try store.check(code: "482913", by: proof(bare), now: 0) == .accepted(room: "room"))
        #expect(try store.check(code: "482913", by: proof(bare), now: 0) == .unknown)
        #expect(store.counts == StoreCounts(pendingRooms: 0, rooms: 1))
    }

    /// Names are any bytes: none of them may mean something to the store.
    @Test(arguments: TestStore.Kind.allCases) func whoOwnsSomethingMayTakeItAway(_ kind: TestStore.Kind) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        let odd = Party(device: "anna\r\nFLUSHALL\r\n' OR 1 %s \0", ticket: nil)
        _ = try store.create(creation("111111"), now: 0)
        _ = try store.create(creation("222222", by: odd), now: 0)
        _ = try store.accept(acceptance("222222", by: Self.bert, room: "second"), now: 0)
        _ = try store.create(creation("333333", by: odd), now: 0)
        #expect(try store.room("second")?.creator == odd)
        #expect(try store.purge(devices: ["anna"], tickets: [Self.otherTicket]) == Removed())
        #expect(try store.purge(devices: ["bert"], tickets: [Self.ticket]) == Removed())
        let removed = try store.purge(devices: [odd.device], tickets: [])
        #expect(removed.rooms == ["second"])
        #expect(removed.codes.sorted() == ["222222", "333333"])
        #expect(try store.delete(room: "second", proof(odd)) == .deleted(Removed()))
        #expect(try store.purge(devices: ["anna"], tickets: [Self.ticket]).codes == ["111111"])
        #expect(store.counts == StoreCounts())
    }

    /// More than is removed in one step.
    @Test(arguments: TestStore.Kind.allCases) func whoOwnsVeryMuchMayTakeItAllAway(_ kind: TestStore.Kind) async throws
    {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        let codes = (0..<4100).map { String(100_000 + $0) }
        for code in codes { _ = try store.create(creation(code, limit: 10_000), now: 0) }
        _ = try store.create(creation("999999", by: Self.bert, limit: 10_000), now: 0)
        #expect(try store.purge(devices: ["anna"], tickets: [Self.ticket]).codes.sorted() == codes)
        #expect(store.counts == StoreCounts(pendingRooms: 1, rooms: 0))
    }

    @Test(arguments: TestStore.Kind.allCases) func aDeletedRoomTakesItsCodeAlong(_ kind: TestStore.Kind) async throws {
        let held = try await TestStore(kind)
        defer { held.end() }
        let store = held.store
        _ = try store.create(creation(), now: 0)
        _ = try store.accept(acceptance(), now: 0)
        #expect(try store.delete(room: "room", Proof(device: "bert", ticket: nil as [UInt8]?)) == .forbidden)
        #expect(
            try store.delete(room: "room", proof(Self.bert)) == .deleted(Removed(rooms: ["room"], codes: ["482913"])))
        #expect(try store.admit(to: "room", proof(Self.anna), now: 0) == .unknown)
        #expect(try store.watch(code: "482913", by: proof(Self.anna), now: 0) == .unknown)
        #expect(store.counts == StoreCounts())
    }

    @Test func everythingThatWasDecidedSurvivesTheProcess() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rooms-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "rooms.db").path
        let store = try SQLiteRoomStore(path: path)
        for index in 0..<50 {
            _ = try store.create(creation("\(100_000 + index)"), now: 0)
            if index.isMultiple(of: 2) {
                _ = try store.accept(acceptance("\(100_000 + index)", room: "room \(index)"), now: 0)
            }
        }
        for suffix in ["", "-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        // A process that is killed closes nothing and leaves its files as they are, the write-ahead log half full.
        let copy = folder.appending(path: "copy.db").path
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        let revived = try SQLiteRoomStore(path: copy)
        #expect(revived.counts == StoreCounts(pendingRooms: 50, rooms: 25))
        for index in 0..<50 {
            let check = try revived.watch(code: "\(100_000 + index)", by: proof(Self.anna), now: 1)
            let isAccepted = index.isMultiple(of: 2)
            let expected = isAccepted ? Check.accepted(room: "room \(index)") : .pending(expiresAt: Self.minute)
            #expect(check == expected)
        }
        #expect(try revived.admit(to: "room 0", proof(Self.bert), now: 1) == .admitted(.guest))
    }

    @Test func aForeignFileIsNotTaken() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rooms-\(UUID().uuidString)").path
        try Data(repeating: 0x41, count: 5000).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(throws: RendezvousError.self) { try RendezvousServer(RendezvousConfiguration(store: .sqlite(path))) }
    }

    @Test func ticketsAreStoredAsDigestsOnly() throws {
        let store = try SQLiteRoomStore()
        let mint = TicketMint(key: .random(count: 32))
        let ticket = mint.ticket(.creator, code: "482913", device: "anna", nonce: [1])
        #expect(ticket != mint.ticket(.guest, code: "482913", device: "anna", nonce: [1]))
        #expect(ticket != mint.ticket(.creator, code: "482914", device: "anna", nonce: [1]))
        #expect(ticket != mint.ticket(.creator, code: "482913", device: "anna", nonce: [2]))
        #expect(ticket.utf8.count == 43)
        let party = Party(device: "anna", ticket: Ticket.digest(ticket))
        _ = try store.create(creation(by: party), now: 0)
        let stored: [UInt8]? = try store.database.first("SELECT creator_ticket FROM pendings") { try $0[0] }
        #expect(stored == Ticket.digest(ticket))
        #expect(stored?.count == 32)
        #expect(Ticket.digest("AAAA").isEmpty && Ticket.digest(ticket + "A").isEmpty && Ticket.digest("").isEmpty)
    }
}
