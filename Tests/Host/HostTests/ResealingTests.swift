import AppCore
import Foundation
import Storage
import Synchronization
import Testing

@testable import Host

/// After a change of the passphrase nothing in the profile opens with what an old copy of the vault gives away.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResealingTests {
    /// An old copy of `vault` and `device.key`.
    private static func copyKeys(of place: ProfilePlace, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["vault", "device.key"] {
            try FileManager.default.copyItem(atPath: place.file(name), toPath: folder + "/" + name)
        }
    }

    /// Every value that the vault sealed, with its context.
    private static func sealed(in profile: Profile) throws -> [(value: [UInt8], context: String)] {
        try SealedColumn.all.flatMap { column in
            try profile.database.withLock { database in
                try database.query(column.select(after: false, atMost: 1_000_000)) { row in
                    (try row[0] as [UInt8], try row[1] as String)
                }
            }
        }
    }

    @Test func `an old copy of the vault and the device key opens nothing that is there after a passphrase was set`()
        async throws
    {
        let hosts = try await TwoHosts()
        try await hosts.meet()
        try await hosts.say(hosts.ada, "before")
        try await hosts.untilHeard(hosts.ben, ["before"])
        await hosts.stop()
        let place = ProfilePlace(hosts.folder + "/ben")
        let copy = hosts.folder + "/copy"
        try Self.copyKeys(of: place, to: copy)
        let thief = try Vault(in: copy)
        try thief.unlock()
        let old = try Profile(path: place.folder)
        let before = try Self.sealed(in: old)
        #expect(before.count > 5 && before.allSatisfy { (try? thief.open($0.value, context: $0.context)) != nil })
        old.close()

        let host = try await place.start()
        let words = try await host.keep(secret: "a secret")
        try await place.setPassphrase("one", current: nil)
        let texts = try await place.texts()
        // The next process drops the old key.
        let next = try await place.start(passphrase: "one")
        let profile = await next.profile
        try await place.until("the old key to go") { !profile.vault.holdsOldKeys }
        let after = try Self.sealed(in: profile)
        #expect(!after.isEmpty)
        #expect(after.allSatisfy { (try? thief.open($0.value, context: $0.context)) == nil })
        #expect(after.allSatisfy { (try? profile.vault.open($0.value, context: $0.context)) != nil })
        #expect(try await place.texts() == texts && texts.contains("before"))
        #expect(await next.secret(words) == "a secret")
        await place.stop()

        // The files put back: what they open is older than what is there, and the profile says so.
        for name in ["vault", "device.key"] {
            try? FileManager.default.removeItem(atPath: place.file(name))
            try FileManager.default.copyItem(atPath: copy + "/" + name, toPath: place.file(name))
        }
        let error = #expect(throws: ProfileError.self) { try Profile(path: place.folder) }
        #expect(error?.description.contains("older copy") == true)
    }

    @Test func `values that are damaged stay as they are, and keep nothing else from being sealed anew`() async throws {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        let profile = try Profile(path: place.folder)
        let secrets = try (0..<300).map { try profile.keep(secret: "number \($0)") }
        try profile.write { database in
            try database.execute("UPDATE secrets SET value = x'0102' WHERE ref = ?", secrets[7].text)
        }
        let before = try profile.records()
        try profile.vault.changeProtection(to: .deviceKey)
        try await profile.reseal()
        #expect(profile.vault.holdsOldKeys, "this process may still hold what the old key sealed")
        profile.close()
        let next = try Profile(path: place.folder)
        try await next.reseal()
        #expect(!next.vault.holdsOldKeys)
        #expect(try Set(next.records()) == Set(before))
        for (number, ref) in secrets.enumerated() {
            #expect(next.secret(ref) == (number == 7 ? nil : "number \(number)"))
        }
        next.close()
    }

    @Test func `a vault that killed processes left full of older keys takes another passphrase`() async throws {
        let place = ProfilePlace()
        try place.fill(with: "verified_chat")
        let profile = try Profile(path: place.folder)
        let secret = try profile.keep(secret: "kept")
        while !profile.vault.isFull { try profile.vault.changeProtection(to: .deviceKey) }
        profile.close()
        let host = try await place.start()
        try await place.setPassphrase("one", current: nil)
        #expect(await host.secret(secret) == "kept")
        await place.stop()
        let next = try await place.start(passphrase: "one")
        #expect(await next.secret(secret) == "kept")
        await place.stop()
    }

    @Test func `every column of bytes is sealed anew, or is none that the vault seals`() throws {
        let place = ProfilePlace()
        let profile = try Profile(path: place.folder)
        defer { profile.close() }
        let open: Set = [
            "sealing_bonds.identity", "sealing_bonds.peer", "sealing_bonds.hint", "sealing_bonds.peer_hint",
            "sealing_tombstones.identity", "sealing_tombstones.peer", "sealing_tombstones.notice", "sealing_used.bits",
            "sealing_peer_pools.last_resort", "sealing_peer_keys.keys",
        ]
        let columns = try profile.database.withLock { database in
            try database.query(
                """
                SELECT tables.name || '.' || columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table' AND columns.type = 'BLOB'
                """
            ) { try $0[0] as String }
        }
        let sealed = Set(SealedColumn.all.map { "\($0.table).\($0.value)" })
        #expect(sealed.isDisjoint(with: open) && Set(columns) == sealed.union(open))
    }
}
