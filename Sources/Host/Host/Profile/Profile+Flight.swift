import AppCore
import Cryptography
import Storage
import Synchronization

// The flight recorder's place on the disk.

extension Profile {
    /// Saves pieces, and drops the segments that are older than `oldest`.
    func save(flight parts: [FlightPart], oldest: Int) throws {
        let rows = try parts.map { part in
            (
                part.segment, part.place,
                try vault.seal(JSON.encode(part), context: "flight/\(part.segment)/\(part.place)")
            )
        }
        try write(durably: false) { database in
            try database.execute("DELETE FROM flight WHERE leg < ?", Int64(oldest))
            for (segment, place, value) in rows {
                try database.execute(
                    "INSERT OR REPLACE INTO flight VALUES (?, ?, ?)", Int64(segment), Int64(place), value)
            }
        }
    }

    /// The number that the next segment takes.
    func nextFlightSegment() throws -> Int {
        let last: Int64? = try database.withLock { database in
            try database.first("SELECT ifnull(max(leg), 0) FROM flight") { try $0[0] }
        }
        return Int(last ?? 0) + 1
    }

    /// What can be read of what was recorded.
    func flightParts() throws -> [FlightPart] {
        let rows = try database.withLock { database in
            try database.query("SELECT leg, place, value FROM flight") { row in
                (segment: try row[0] as Int64, place: try row[1] as Int64, value: try row[2] as [UInt8])
            }
        }
        return rows.compactMap { row in
            guard let bytes = try? vault.open(row.value, context: "flight/\(row.segment)/\(row.place)") else {
                return nil
            }
            return try? JSON.decode(FlightPart.self, from: bytes)
        }
    }

    func unlock(passphrase text: String) throws {
        let now = HostConfiguration.systemClock().milliseconds
        do {
            try reserve.lent { try vault.unlock(passphrase: SecretBytes(copying: text.utf8), now: now) }
        } catch let error as VaultError {
            throw ProfileError.cannotOpen(path: path, reason: error.message)
        }
    }
}
