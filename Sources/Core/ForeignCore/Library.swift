/// The functions of a loaded library, whatever it calls them.
struct Library {
    typealias Core = UnsafeMutableRawPointer
    typealias Text = UnsafeMutablePointer<CChar>
    typealias Input = UnsafePointer<CChar>
    typealias Show = @convention(c) (Core?) -> Text?
    typealias Take = @convention(c) (Core?, Input?) -> Text?

    let dialect: ForeignCore.Dialect
    let make: @convention(c) (Input?) -> Core?
    let free: @convention(c) (Core?) -> Void
    let dispatch: Take
    let platformEvent: Take
    let state: Show
    let tree: Show
    let logs: @convention(c) (Core?, UInt32) -> Text?
    let freeString: @convention(c) (Text?) -> Void
    /// The functions that only libraries of the dialect `alcove` have.
    let alcove: Alcove?

    struct Alcove {
        let drainEffects: Show
        let lastError: Show
        let version: @convention(c) () -> Input?
        /// `nil` in libraries of version 0.2, whose cores have one view.
        let changes: (@convention(c) (Core?, Input?, UInt64) -> Text?)?
    }

    init(path: String) throws(ForeignCoreError) {
        let symbols = try Symbols(path: path)
        dialect = symbols.has(ForeignCore.Dialect.alcove.names("new")) ? .alcove : .jcode
        let dialect = dialect
        let missing = dialect.functions.map(dialect.names).filter { !symbols.has($0) }.compactMap(\.first)
        guard missing.isEmpty else {
            let names = missing.joined(separator: ", ")
            throw ForeignCoreError(.notACore, "\(path) is not a core: it lacks \(names)")
        }
        make = try symbols.function(dialect.names("new"))
        free = try symbols.function(dialect.names("free"))
        dispatch = try symbols.function(dialect.names("dispatch"))
        platformEvent = try symbols.function(dialect.names("platform_event"))
        state = try symbols.function(dialect.names("state"))
        tree = try symbols.function(dialect.names("tree"))
        logs = try symbols.function(dialect.names("logs"))
        freeString = try symbols.function(dialect.names("string_free"))
        guard dialect == .alcove else {
            alcove = nil
            return
        }
        let changes = dialect.names("changes")
        alcove = Alcove(
            drainEffects: try symbols.function(dialect.names("drain_effects")),
            lastError: try symbols.function(dialect.names("last_error")),
            version: try symbols.function(dialect.names("version")),
            changes: symbols.has(changes) ? try symbols.function(changes) : nil)
    }
}

extension ForeignCore.Dialect {
    /// The functions that a core of this dialect must export.
    fileprivate var functions: [String] {
        let both = ["new", "free", "dispatch", "state", "tree", "logs", "platform_event", "string_free"]
        return self == .alcove ? both + ["drain_effects", "last_error", "version"] : both
    }

    /// The names under which a function may be exported.
    fileprivate func names(_ function: String) -> [String] {
        switch (self, function) {
        case (.alcove, _): ["alcove_core_\(function)"]
        case (.jcode, "new"), (.jcode, "free"): ["jcode_mobile_app_\(function)"]
        case (.jcode, _): ["jcode_mobile_\(function)", "jcode_mobile_app_\(function)"]
        }
    }
}
