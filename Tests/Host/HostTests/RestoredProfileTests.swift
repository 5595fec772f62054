import AppCore
import Cryptography
import Foundation
import Sealing
import Storage
import Testing

@testable import Host

/// A backup beside the other side of a room, which went on after it was made.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RestoredProfileTests {
    /// The key that a message was sealed to.
    private struct Key: Hashable {
        var epoch: UInt32
        var index: UInt32?

        init(_ sealed: [UInt8]) throws {
            let header = try SealingSession.peek(sealed)
            (epoch, index) = (header.epoch, header.index)
        }
    }

    private static func seal(_ hosts: TwoHosts, _ text: String) async throws -> [UInt8] {
        let room = try await hosts.expect(hosts.ada, "a room") { $0.rooms.first?.id }
        await hosts.ada.dispatch(.circle(.sealByHand(room: room, text: text)))
        let message = try await hosts.expect(hosts.ada, "the sealed file “\(text)”") { state in
            state.rooms.first?.messages.all.last { message in
                message.body == .text(text) && [.carried, .failed].contains(message.status)
            }
        }
        let path = try #require(message.byHand?.handle, "\(String(describing: message.failure))")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func expectHeard(_ hosts: TwoHosts, _ host: AppHost, _ text: String) async throws {
        try await hosts.expect(host, "“\(text)”") { state in
            TwoHosts.texts(state, .received).contains(text) ? true : nil
        }
    }

    private static func openRoom(_ hosts: TwoHosts, _ host: AppHost) async throws {
        let room = try await hosts.expect(host, "a room") { $0.rooms.first?.id }
        await host.dispatch(.rooms(.openRoom(room: room)))
    }

    @Test func `a restored profile meets the other side again and never uses a key that was used`() async throws {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.trust()
        try await hosts.say(hosts.ada, "before the backup")
        try await Self.expectHeard(hosts, hosts.ben, "before the backup")
        await hosts.ada.stop()
        let place = try ArchivePlace(hosts.folder + "/archives")
        let exported = try ProfileArchive.export(
            profile: hosts.folder + "/ada", to: place.path("backup"), passphrase: ArchivePlace.passphrase,
            cost: ArchivePlace.cost(), progress: { _, _ in true })
        #expect(exported.summary.people == 1)

        // The profile goes on: what it says arrives, and what it seals by hand is on its way.
        hosts.ada = try await TwoHosts.host(hosts.folder + "/ada", hosts.url)
        try await Self.openRoom(hosts, hosts.ada)
        try await hosts.untilTalking(hosts.ada)
        var used: Set<Key> = []
        for number in 0..<5 {
            try await hosts.say(hosts.ada, "after the backup \(number)")
            used.insert(try Key(try await Self.seal(hosts, "by hand \(number)")))
        }
        try await Self.expectHeard(hosts, hosts.ben, "after the backup 4")
        #expect(used.count == 5)
        await hosts.ada.stop()

        // Then the machine is lost.
        _ = try ProfileArchive.restore(
            place.path("backup"), to: hosts.folder + "/new", passphrase: ArchivePlace.passphrase,
            progress: { _, _ in true })
        hosts.ada = try await TwoHosts.host(hosts.folder + "/new", hosts.url)
        #expect(await hosts.ada.read { TwoHosts.texts($0, .sent) }.contains("before the backup"))
        try await Self.openRoom(hosts, hosts.ada)
        try await hosts.untilTalking(hosts.ada)
        for number in 0..<5 {
            // It waits for keys, as what is sealed by hand does not.
            try await hosts.say(hosts.ada, "restored \(number)")
            try await Self.expectHeard(hosts, hosts.ben, "restored \(number)")
            let key = try Key(try await Self.seal(hosts, "by hand again \(number)"))
            #expect(used.insert(key).inserted, "epoch \(key.epoch), key \(key.index ?? 0) was used before")
        }
        try await hosts.say(hosts.ben, "welcome back")
        try await Self.expectHeard(hosts, hosts.ada, "welcome back")
        #expect(await hosts.ben.read { TwoHosts.texts($0, .received) }.filter { $0.hasPrefix("restored") }.count == 5)
        await hosts.stop()
    }
}
