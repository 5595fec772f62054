import Storage
import Testing

@Suite struct DatabaseTransactionTests {
    private struct Refusal: Error {}

    private let database: Database

    init() throws {
        database = try Database.inMemory()
        try database.execute("CREATE TABLE numbers (n INTEGER NOT NULL UNIQUE) STRICT")
    }

    private var numbers: [Int] {
        get throws { try database.query("SELECT n FROM numbers ORDER BY n") { try $0[0] as Int } }
    }

    private func insert(_ number: Int) throws { try database.execute("INSERT INTO numbers VALUES (?)", number) }

    @Test func keepsEverythingAndReturnsTheResult() throws {
        let result = try database.transaction {
            try insert(1)
            try insert(2)
            return "done"
        }
        #expect(result == "done")
        #expect(try numbers == [1, 2])
    }

    @Test func takesEverythingBackOnAnyError() throws {
        #expect(throws: Refusal.self) {
            try database.transaction {
                try insert(1)
                throw Refusal()
            }
        }
        #expect(throws: DatabaseError.self) {
            try database.transaction {
                try insert(1)
                try insert(1)
            }
        }
        #expect(try numbers.isEmpty)
        try database.transaction { try insert(5) }
        #expect(try numbers == [5])
    }

    @Test func anInnerFailureTakesBackOnlyItself() throws {
        try database.transaction {
            try insert(1)
            #expect(throws: Refusal.self) {
                try database.transaction {
                    try insert(2)
                    throw Refusal()
                }
            }
            try database.transaction { try insert(3) }
        }
        #expect(try numbers == [1, 3])
    }

    @Test func anOuterFailureTakesBackTheInnerSuccess() throws {
        #expect(throws: Refusal.self) {
            try database.transaction {
                try database.transaction { try insert(1) }
                throw Refusal()
            }
        }
        #expect(try numbers.isEmpty)
    }

    @Test func aSnapshotSeesOneStateWhateverOthersWrite() throws {
        let folder = try TemporaryFolder()
        let reader = try Database(path: folder.path(of: "a.db"))
        let writer = try Database(path: folder.path(of: "a.db"))
        try writer.migrate(["CREATE TABLE t (v INTEGER) STRICT"])
        func count() throws -> Int { try reader.first("SELECT count(*) FROM t") { try $0[0] } ?? -1 }
        try reader.snapshot {
            #expect(try count() == 0)
            try writer.execute("INSERT INTO t VALUES (1)")
            #expect(try count() == 0)
            #expect(throws: Refusal.self) { try reader.snapshot { throw Refusal() } }
            #expect(try count() == 0)
        }
        #expect(try count() == 1)
        #expect(throws: Refusal.self) { try reader.snapshot { throw Refusal() } }
        try writer.execute("INSERT INTO t VALUES (2)")
        #expect(try count() == 2)
    }
}
