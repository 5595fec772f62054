import Cryptography
package import DataChannels
import Foundation
package import Sealing

/// The rooms subsystem: makes and enters rooms, keeps their links alive, and carries messages and files through them.
///
/// Rooms are named by their id on this machine. Repeating a request, because the process died before the answer, has no
/// further effect. Events arrive through ``reports``, in order.
package actor RoomsService {
    /// Events, for one listener.
    package nonisolated let reports = RoomReports()
    let network: RoomsNetwork
    let keyStore: any RoomKeyStore
    let deliveryStore: any DeliveryStore
    let sealingStore: any SealingStore
    let keyTarget: Int
    let filesFolder: String
    let fileQueue = FileQueue()
    var conversations: [String: Conversation] = [:]
    var links: [String: RoomLink] = [:]
    var closing: [String: Task<Void, Never>] = [:]
    var watchers: [String: RoomWatcher] = [:]
    /// The words of rooms that were made here, which are prepared while waiting for a guest.
    private var preparations: [String: Task<RoomLink.JoinWords?, Never>] = [:]
    /// Searches for the other side of a room, without a code.
    var meetings: [String: Task<MetRoom, any Error>] = [:]
    let meetingPace: MeetingPace

    /// - Parameter keyTarget: how many one-time keys the other side of each room gets.
    package init(
        network: RoomsNetwork, keys: any RoomKeyStore, deliveries: any DeliveryStore, sealing: any SealingStore,
        filesFolder: String, keyTarget: Int = SealingLimits.capacity
    ) {
        self.init(
            network: network, keys: keys, deliveries: deliveries, sealing: sealing, filesFolder: filesFolder,
            keyTarget: keyTarget, pace: MeetingPace())
    }

    init(
        network: RoomsNetwork, keys: any RoomKeyStore, deliveries: any DeliveryStore, sealing: any SealingStore,
        filesFolder: String, keyTarget: Int, pace: MeetingPace
    ) {
        sealingStore = sealing
        self.keyTarget = keyTarget
        meetingPace = pace
        self.network = network
        self.keyStore = keys
        self.deliveryStore = deliveries
        self.filesFolder = filesFolder
    }

    /// Asks a server whether it is there and well.
    package func checkServer(_ server: String) async throws(RoomsFailure) {
        try await RendezvousClient(network: network, server: server).checkHealth()
    }

    /// Tries a STUN or TURN server with one address.
    package func check(iceServer: ICEServer) async throws(RoomsFailure) {
        let problem = await ICEServerCheck(server: iceServer, network: network).problem()
        switch problem {
        case nil: return
        case .silent: throw RoomsFailure(.iceServerSilent)
        case .noData: throw RoomsFailure(.iceServerBlocked)
        default: throw RoomsFailure(.iceServerRefused)
        }
    }

    /// A new room that waits for a guest.
    package struct Created: Sendable {
        /// The six digits that find the room.
        package var digits: String
        /// The words that authenticate the guest; they are never sent anywhere.
        package var words: String
        /// When the digits stop working, in milliseconds since 1970, by the server's clock.
        package var expiresAt: Int64
    }

    /// Makes a room, with free digits and random words.
    package func create(_ address: RoomAddress, expiresIn: Int64) async throws -> Created {
        let client = try RendezvousClient(network: network, server: address.server)
        for _ in 0..<8 {
            let code = JoinCode.random()
            let answer = try await client.create(digits: code.digits, device: address.device, expiresIn: expiresIn)
            guard let answer else { continue }
            try save(RoomKeys(ticket: answer.ticket, certificate: .generate()), address.room)
            let words = code.words.joined(separator: "-")
            preparations[address.room] = RoomLink.prepare(digits: code.digits, words: words)
            return Created(digits: code.digits, words: words, expiresAt: try Self.milliseconds(answer.exp))
        }
        throw RoomsFailure(.serverError, "the server found no free join code", place: address.server)
    }

    /// Enters the room behind the digits of the address.
    /// - Returns: the room's id on the server.
    package func join(_ address: RoomAddress) async throws -> String {
        guard let digits = address.digits else { throw RoomsFailure(.codeUnknown) }
        let client = try RendezvousClient(network: network, server: address.server)
        let accepted = try await client.accept(digits: digits, device: address.device)
        if try load(address.room)?.ticket != accepted.ticket {
            try save(RoomKeys(ticket: accepted.ticket, certificate: .generate()), address.room)
        }
        return accepted.roomid
    }

    /// Whether the server gave a proof that the room belongs to this side. Without one, anyone who learns the room's id
    /// can act on it.
    package func hasTicket(_ room: String) throws -> Bool { try !keys(room).ticket.isEmpty }

    /// Asks the server once whether a guest has come.
    package func check(_ address: RoomAddress) async throws -> String? {
        guard let digits = address.digits else { throw RoomsFailure(.codeUnknown) }
        let client = try RendezvousClient(network: network, server: address.server)
        return try await client.check(digits: digits, device: address.device, ticket: keys(address.room).ticket)
    }

    /// Lets the server report when a guest comes. This ends an earlier watch of the room.
    /// - Parameter number: the number for the reports of this watch.
    package func watch(_ address: RoomAddress, number: UInt64) throws {
        stopWatching(address.room)
        let subject = RoomWatcher.Subject(
            joinID: address.digits ?? "", device: address.device, ticket: try keys(address.room).ticket,
            server: address.server)
        let watcher = RoomWatcher(subject, network: network) { [reports, room = address.room] news in
            switch news {
            case .watching(let on): reports.yield(.watching(room: room, number: number, on))
            case .accepted(let serverRoom):
                reports.yield(.accepted(room: room, number: number, serverRoom: serverRoom))
            case .ended: reports.yield(.watchEnded(room: room, number: number))
            }
        }
        watchers[address.room] = watcher
        watcher.start()
    }

    // Links.

    /// Opens the link of a room and keeps it until it is closed.
    /// - Parameter number: the number for the reports of this link.
    package func openLink(
        _ address: RoomAddress, number: UInt64, words: String?, iceServers: [ICEServer]
    ) async throws {
        await stopMeeting(address.room)
        stopWatching(address.room)
        // A link that gave up may still be here.
        closeLink(address.room)
        let keys = try keys(address.room)
        guard keys.trust != .refused else { throw RoomsFailure(.codeSpent) }
        // A room that was verified before needs no words.
        let needed = keys.peerRemembers == true ? nil : words
        let prepared = preparations.removeValue(forKey: address.room)
        let link = try RoomLink(
            RoomLink.Setting(
                address: address,
                number: number,
                words: needed == nil
                    ? RoomLink.prepare(digits: nil, words: nil)
                    : prepared ?? RoomLink.prepare(digits: address.digits, words: needed),
                network: network,
                iceServers: iceServers,
                keyStore: keyStore,
                conversation: try conversation(address.room),
                report: reports
            ),
            keys: keys
        )
        links[address.room] = link
        await closing[address.room]?.value
        await link.open()
    }

    /// Closes the link; the room stays.
    package func closeLink(_ room: String) { close(room, .pausing) }

    /// Says goodbye, closes the link to the other side and then leaves at the server.
    ///
    /// Later requests for this room run after the leave, also while the returned task is running.
    @discardableResult package func leave(_ room: String) -> Task<Void, Never>? {
        stopWatching(room)
        close(room, .leaving)
        return closing[room]
    }

    /// Closes the link of a room, after its earlier links.
    private func close(_ room: String, _ farewell: RoomLink.Farewell) {
        guard let link = links.removeValue(forKey: room) else { return }
        let before = closing[room]
        closing[room] = Task {
            await before?.value
            await link.close(farewell)
        }
    }

    /// Says goodbye for ever, makes the servers delete our ids, and drops everything about these rooms.
    ///
    /// If a server cannot be reached, the keys of its rooms stay, because the server will demand them as proof when the
    /// request is repeated.
    package func delete(_ addresses: [RoomAddress]) async throws {
        for address in addresses { await end(address.room, .deleting) }
        for address in addresses { try deliveryStore.files(room: address.room).forEach(Conversation.removePart) }
        for address in addresses { try SealingDirectory(store: sealingStore).forget(address.room) }
        try deliveryStore.forget(rooms: addresses.map(\.room))
        var failure: (any Error)?
        for (server, group) in Dictionary(grouping: addresses, by: \.server) {
            do {
                try await purge(group, from: server)
            } catch {
                // The other servers are told all the same.
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Ends all activity of a room.
    func end(_ room: String, _ farewell: RoomLink.Farewell) async {
        await stopMeeting(room)
        stopWatching(room)
        close(room, farewell)
        await closing.removeValue(forKey: room)?.value
        // When the room is opened again, its keys must not be in use.
        await conversations[room]?.rest()
        conversations[room] = nil
        preparations[room] = nil
    }

    private func purge(_ addresses: [RoomAddress], from server: String) async throws {
        let tickets = try addresses.map { try load($0.room)?.ticket ?? "" }
        let client = try RendezvousClient(network: network, server: server)
        try await client.purge(devices: addresses.map(\.device), tickets: tickets)
        try keyStore.delete(rooms: addresses.map(\.room))
    }

    func stopWatching(_ room: String) {
        watchers.removeValue(forKey: room)?.stop()
    }

    /// The person compared the safety numbers.
    package func confirmSafetyNumber(_ room: String, matches: Bool) {
        links[room]?.tell(comparison: matches)
    }

    /// Closes every link and drops conversations; the rooms stay, and can be opened again.
    package func pause() async {
        for room in meetings.keys { await stopMeeting(room) }
        for watcher in watchers.values { watcher.stop() }
        watchers = [:]
        for room in links.keys { closeLink(room) }
        for task in closing.values { await task.value }
        closing = [:]
        for conversation in conversations.values { await conversation.rest() }
        conversations = [:]
        preparations = [:]
    }

    /// The end: closes every link and reports nothing more.
    package func stop() async {
        await pause()
        reports.finish()
    }

    /// Cuts the room's connections at once without a goodbye, as if the network had failed: for tests and the demo.
    package func sever(_ room: String) async { await links[room]?.sever() }

    // Keys.

    func keys(_ room: String) throws -> RoomKeys {
        guard let keys = try load(room) else { throw RoomsFailure(.unknownRoom) }
        return keys
    }

    func load(_ room: String) throws -> RoomKeys? { try keyStore.load(room: room) }

    func save(_ keys: RoomKeys, _ room: String) throws { try keyStore.save(keys, room: room) }

    /// The server writes times as ISO 8601 in UTC with milliseconds.
    static func milliseconds(_ text: String) throws -> Int64 {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = try? format.parse(text) else {
            throw RoomsFailure(.serverError, "the server's expiry is not a time")
        }
        return Int64((date.timeIntervalSince1970 * 1000).rounded())
    }
}
