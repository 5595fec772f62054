import Foundation
import Storage
import Testing

@Suite struct DatabaseTests {
    @Test(arguments: [
        DatabaseValue.null, .integer(0), .integer(.min), .integer(.max), .real(-0.5), .text(""), .text("snow ☃ \u{0}!"),
        .blob([]), .blob([0, 255, 0]),
    ])
    func valuesComeBackAsTheyWent(value: DatabaseValue) throws {
        let database = try Database.inMemory()
        let read: DatabaseValue? = try database.first("SELECT ?", value) { try $0[0] }
        #expect(read == value)
    }

    @Test func typedReadingConvertsNothingSilently() throws {
        let database = try Database.inMemory()
        try database.first("SELECT NULL, 1, 'a', x'01', 2") { row in
            let missing: String? = try row[0]
            #expect(missing == nil)
            #expect(try row[1] == true)
            #expect(try row[2] == "a")
            #expect(try row[3] == [UInt8(1)])
            #expect(row.count == 5)
            expectMismatch { let _: String = try row[0] }
            expectMismatch { let _: String = try row[1] }
            expectMismatch { let _: Int = try row[2] }
            expectMismatch { let _: Bool = try row[4] }
        }
    }

    private func expectMismatch(_ body: () throws -> Void) {
        let error = #expect(throws: DatabaseError.self) { try body() }
        #expect(error?.code == .mismatch)
    }

    @Test func readsNoColumnThatIsNotThere() throws {
        let database = try Database.inMemory()
        #expect(throws: DatabaseError.self) {
            try database.first("SELECT 1") { row in let _: Int = try row[1] }
        }
        #expect(throws: DatabaseError.self) {
            try database.first("SELECT 1") { row in let _: Int = try row[-1] }
        }
    }

    @Test func countsTheRowsAStatementChanges() throws {
        let database = try tableOfNumbers()
        #expect(try database.execute("INSERT INTO numbers VALUES (1), (2), (3)") == 3)
        #expect(try database.execute("UPDATE numbers SET n = n + 10 WHERE n > 1") == 2)
        #expect(try database.execute("SELECT * FROM numbers") == 0)
        #expect(try database.query("SELECT n FROM numbers ORDER BY n") { try $0[0] as Int } == [1, 12, 13])
    }

    @Test func aStatementMayRunInsideItself() throws {
        let database = try tableOfNumbers()
        try database.execute("INSERT INTO numbers VALUES (1), (2)")
        let sql = "SELECT n FROM numbers ORDER BY n"
        let pairs = try database.query(sql) { outer in
            let left: Int = try outer[0]
            return try database.query(sql) { inner in [left, try inner[0]] }
        }
        #expect(pairs == [[[1, 1], [1, 2]], [[2, 1], [2, 2]]])
    }

    @Test func anErrorNamesTheStatementAndNeverTheArguments() throws {
        let database = try tableOfNumbers()
        try database.execute("CREATE TABLE names (name TEXT PRIMARY KEY) STRICT")
        try database.execute("INSERT INTO names VALUES (?)", "hidden")
        let error = #expect(throws: DatabaseError.self) {
            try database.execute("INSERT INTO names VALUES (?)", "hidden")
        }
        #expect(error?.code == .constraint)
        #expect(error?.sql == "INSERT INTO names VALUES (?)")
        #expect(error?.description.contains("hidden") == false)
    }

    @Test(arguments: [
        "SELEC 1", "SELECT", "", "-- nothing", "SELECT ?", "SELECT 1; SELECT 2", "SELECT * FROM missing",
    ])
    func aWrongStatementIsAnError(sql: String) throws {
        let database = try Database.inMemory()
        #expect(throws: DatabaseError.self) { try database.execute(sql) }
        #expect(try database.first("SELECT 1") { try $0[0] as Int } == 1)
    }

    @Test(arguments: [0, 1, 2])
    func worksWithAnySizeOfStatementCache(size: Int) throws {
        let database = try Database.inMemory(configuration: DatabaseConfiguration(statementCacheSize: size))
        for round in 0..<3 {
            for number in 0..<4 {
                #expect(try database.first("SELECT \(number)") { try $0[0] as Int } == number, "round \(round)")
            }
        }
    }

    @Test func aCachedStatementForgetsItsArguments() throws {
        let database = try Database.inMemory()
        #expect(throws: DatabaseError.self) { try database.execute("SELECT ?, ?", 1) }
        #expect(try database.first("SELECT ?, ?", 1, 2) { try $0[1] as Int } == 2)
        #expect(throws: DatabaseError.self) { try database.execute("SELECT ?, ?", 1) }
    }

    private func tableOfNumbers() throws -> Database {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE numbers (n INTEGER NOT NULL) STRICT")
        return database
    }
}
