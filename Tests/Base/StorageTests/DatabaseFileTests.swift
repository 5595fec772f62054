import Foundation
import Storage
import Testing

/// Database files: what they survive, and how they report errors.
@Suite struct DatabaseFileTests {
    @Test func whatWasCommittedIsThereForTheNextConnection() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.db"
            let first = try Database(path: path)
            try first.migrate(["CREATE TABLE t (v TEXT) STRICT"])
            try first.execute("INSERT INTO t VALUES ('kept')")
            // The first connection stays open: as after SIGKILL, nothing was checkpointed and the log is the only copy.
            #expect(try log(of: path) > 0)
            let second = try Database(path: path)
            #expect(try second.first("SELECT v FROM t") { try $0[0] as String } == "kept")
        }
    }

    @Test func aCopyTakenInTheMiddleOfATransactionOpensWithoutIt() throws {
        try withTemporaryFolder { folder in
            let database = try Database(path: folder + "/a.db")
            try database.migrate(["CREATE TABLE t (v INTEGER) STRICT"])
            try database.transaction { try database.execute("INSERT INTO t VALUES (1)") }
            try database.transaction {
                try database.execute("INSERT INTO t VALUES (2)")
                for suffix in ["", "-wal"] {
                    try FileManager.default.copyItem(
                        atPath: folder + "/a.db" + suffix,
                        toPath: folder + "/b.db" + suffix
                    )
                }
            }
            let copy = try Database(path: folder + "/b.db")
            #expect(try copy.query("SELECT v FROM t") { try $0[0] as Int } == [1])
        }
    }

    @Test func aFileThatIsNoDatabaseIsRefusedWithAdvice() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.db"
            try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: DatabaseError.self) { try Database(path: path) }
            #expect(error?.code == .notADatabase)
            #expect(error?.message.contains("restore a copy") == true)
        }
    }

    @Test func aDamagedFileThrowsAndNeverTraps() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.db"
            try fill(path)
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            for index in 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: DatabaseError.self) {
                try Database(path: path).query("SELECT v FROM t") { try $0[0] as String }
            }
            #expect(error?.code == .corrupt)
        }
    }

    private func fill(_ path: String) throws {
        let database = try Database(path: path)
        try database.migrate(["CREATE TABLE t (v TEXT) STRICT"])
        for _ in 0..<100 { try database.execute("INSERT INTO t VALUES (?)", String(repeating: "x", count: 500)) }
        try database.executeScript("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test func aFullDiskRollsBackAndTheRestStaysReadable() throws {
        try withTemporaryFolder { folder in
            let database = try Database(
                path: folder + "/a.db",
                configuration: DatabaseConfiguration(maximumPageCount: 20)
            )
            try database.migrate(["CREATE TABLE t (v TEXT) STRICT"])
            try database.execute("INSERT INTO t VALUES ('first')")
            let error = #expect(throws: DatabaseError.self) {
                try database.transaction {
                    for _ in 0..<100 {
                        try database.execute("INSERT INTO t VALUES (?)", String(repeating: "x", count: 4000))
                    }
                }
            }
            #expect(error?.code == .full)
            #expect(try database.query("SELECT v FROM t") { try $0[0] as String } == ["first"])
            try database.transaction { try database.execute("INSERT INTO t VALUES ('second')") }
        }
    }

    @Test func aLockHeldTooLongIsBusy() throws {
        try withTemporaryFolder { folder in
            let configuration = DatabaseConfiguration(busyTimeout: .milliseconds(10))
            let one = try Database(path: folder + "/a.db", configuration: configuration)
            let two = try Database(path: folder + "/a.db", configuration: configuration)
            try one.transaction {
                let error = #expect(throws: DatabaseError.self) { try two.transaction {} }
                #expect(error?.code == .busy)
            }
            try two.transaction {}
        }
    }

    @Test(arguments: [true, false]) func theLogStaysIfThatIsWanted(keepsLog: Bool) throws {
        try withTemporaryFolder { folder in
            let configuration = DatabaseConfiguration(keepsLog: keepsLog)
            var database: Database? = try Database(path: folder + "/a.db", configuration: configuration)
            try database?.migrate(["CREATE TABLE t (v TEXT) STRICT"])
            database = nil
            #expect(FileManager.default.fileExists(atPath: folder + "/a.db-wal") == keepsLog)
            #expect(try Database(path: folder + "/a.db").schemaVersion == 1)
        }
    }

    @Test func aMissingFolderSaysWhichPath() throws {
        let error = #expect(throws: DatabaseError.self) { try Database(path: "/nowhere/at/all.db") }
        #expect(error?.code == .cannotOpen)
        #expect(error?.message.contains("/nowhere/at/all.db") == true)
    }

    @Test func migrationsRunOnceInOrderAndAllOrNothing() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.db"
            let one = "CREATE TABLE t (v INTEGER) STRICT; INSERT INTO t VALUES (1)"
            try Database(path: path).migrate([one])
            let database = try Database(path: path)
            #expect(throws: DatabaseError.self) {
                try database.migrate([one, "INSERT INTO t VALUES (2)", "INSERT INTO missing VALUES (3)"])
            }
            #expect(try database.schemaVersion == 1)
            try database.migrate([one, "INSERT INTO t VALUES (2)"])
            #expect(try database.query("SELECT v FROM t ORDER BY v") { try $0[0] as Int } == [1, 2])
            let error = #expect(throws: DatabaseError.self) { try database.migrate([one]) }
            #expect(error?.code == .schemaTooNew)
        }
    }

    private func log(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
    }

    private func withTemporaryFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "alcove-storage-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }
}
