extension Database {
    /// Runs `body` as one decision: all of its changes are kept, or, if it throws, none.
    ///
    /// The write lock is taken at the start (`BEGIN IMMEDIATE`), so that what `body` reads stays true until it has
    /// written. A transaction inside a transaction is a savepoint: its failure takes back only its own changes.
    @discardableResult
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        let name = "nested_\(transactionDepth)"
        let isOuter = transactionDepth == 0
        try executeScript(isOuter ? "BEGIN IMMEDIATE" : "SAVEPOINT \(name)")
        transactionDepth += 1
        defer { transactionDepth -= 1 }
        do {
            let result = try body()
            if !isOuter, isAutocommitting {
                throw DatabaseError(code: .misuse, message: "the enclosing transaction was rolled back")
            }
            try executeScript(isOuter ? "COMMIT" : "RELEASE \(name)")
            return result
        } catch {
            // The first error is the one to report; SQLite may already have rolled back by itself.
            if !isAutocommitting {
                try? executeScript(isOuter ? "ROLLBACK" : "ROLLBACK TO \(name); RELEASE \(name)")
            }
            throw error
        }
    }

    /// Runs `body`, which only reads, on one state of the database, whatever others write meanwhile.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        guard isAutocommitting else { return try body() }
        try executeScript("BEGIN")
        defer { try? executeScript("COMMIT") }
        return try body()
    }

    /// Brings the schema up to date: runs the scripts that this file has not seen yet, in order, each once.
    ///
    /// The list only ever grows at its end. `PRAGMA user_version` counts the scripts that have run, and all of the new
    /// ones run in one transaction. Throws `schemaTooNew` if the file has seen more scripts than are given.
    public func migrate(_ scripts: [String]) throws {
        try transaction {
            let version = try schemaVersion
            guard version <= scripts.count else {
                throw DatabaseError(
                    code: .schemaTooNew,
                    message: """
                        the file has schema version \(version), this program knows versions up to \(scripts.count); \
                        use the newer program
                        """
                )
            }
            // Writes only if needed, because the disk may be full.
            guard version < scripts.count else { return }
            for script in scripts[version...] { try executeScript(script) }
            try executeScript("PRAGMA user_version = \(scripts.count)")
        }
    }

    /// How many migration scripts the file has seen.
    public var schemaVersion: Int {
        get throws { try first("PRAGMA user_version") { try $0[0] } ?? 0 }
    }
}
