extension Database {
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
            // Nothing is written without need: the disk may be full.
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
