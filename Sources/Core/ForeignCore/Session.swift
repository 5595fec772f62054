import AppCore

/// One core of one library; who holds it sees to it that one thread at a time calls.
struct Session {
    let library: Library
    let core: Library.Core
    private let reader: AnswerReader

    init(_ library: Library, scenario: JSONValue?, state: JSONValue?, _ reader: AnswerReader) throws(ForeignCoreError) {
        self.library = library
        self.reader = reader
        try Self.checkVersion(library)
        let made: Library.Core?
        if let state {
            let config = try Self.text(library.dialect == .alcove ? .object(["state": state]) : state)
            made = try Self.pass(config) { library.make($0) }
        } else if let scenario {
            let isFile = library.dialect == .alcove && scenario.object != nil
            let config = try Self.text(isFile ? .object(["scenario": scenario]) : scenario)
            made = try Self.pass(config) { library.make($0) }
        } else {
            made = library.make(nil)
        }
        guard let made else {
            let error = library.alcove.map { $0.lastError(nil) }
            let said = try? reader.read(error ?? nil, of: "new", isWrapped: true, free: library.freeString).value
            let reason = said?["message"]?.string.map { ": " + $0.withoutControls.limited(to: 500) } ?? ""
            throw ForeignCoreError(
                .cannotStart, "the library made no core\(reason)", reason: said?["code"]?.string?.limited(to: 100))
        }
        core = made
    }

    func end() { library.free(core) }

    /// Passes a text in, and takes the effects it led to.
    func take(
        _ function: Library.Take, _ name: String, _ json: [UInt8]
    ) throws(ForeignCoreError) -> ForeignCore.Report {
        let answer = try read(try Self.pass(json) { function(core, $0) }, name)
        let effects = library.dialect == .alcove ? try drain() : Self.effects(in: answer.value)
        return ForeignCore.Report(effects: effects, records: answer.value["records"]?.array ?? [], json: answer)
    }

    func read(_ text: Library.Text?, _ function: String) throws(ForeignCoreError) -> ForeignJSON {
        let isWrapped = library.dialect == .alcove
        return try reader.read(text, of: function, isWrapped: isWrapped, free: library.freeString)
    }

    /// What a view shows, as if nothing of it were known.
    func changes(_ look: [UInt8]) throws(ForeignCoreError) -> ForeignJSON {
        guard let changes = library.alcove?.changes else {
            throw ForeignCoreError(.unexpected, "the library has one view only")
        }
        return try read(try Self.pass(look) { changes(core, $0, 0) }, "changes")
    }

    func drain() throws(ForeignCoreError) -> [JSONValue] {
        guard let alcove = library.alcove else { return [] }
        guard let effects = try read(alcove.drainEffects(core), "drain_effects").value.array else {
            throw ForeignCoreError(.unexpected, "drain_effects returned something else than a list")
        }
        return effects
    }

    /// The effects inside a report of the dialect `jcode`: each alone, or with its number and time around it.
    private static func effects(in report: JSONValue) -> [JSONValue] {
        let listed = report["effect_records"]?.array ?? report["effects"]?.array
        let entries = listed ?? report["transitions"]?.array?.flatMap { $0["effects"]?.array ?? [] } ?? []
        return entries.map { $0["effect"]?.object == nil ? $0 : $0["effect"] ?? $0 }
    }

    private static func checkVersion(_ library: Library) throws(ForeignCoreError) {
        guard let alcove = library.alcove else { return }
        // Not to be freed; the reader is told so.
        let text = UnsafeMutablePointer(mutating: alcove.version())
        let reader = AnswerReader(limit: 1 << 16)
        let version = try reader.read(text, of: "version", isWrapped: false) { _ in }.value["abi"]
        guard version == .integer(2) else {
            let said = version?.integer.map(String.init) ?? "none"
            throw ForeignCoreError(.wrongVersion, "the library speaks version \(said) of the interface, not version 2")
        }
    }

    private static func text(_ json: JSONValue) throws(ForeignCoreError) -> [UInt8] {
        do { return try JSON.encode(json) } catch {
            throw ForeignCoreError(.badInput, "a number in the scenario cannot be written")
        }
    }

    /// Calls `body` with the text as C wants it.
    private static func pass<Value>(
        _ text: [UInt8], _ body: (Library.Input?) -> Value
    ) throws(ForeignCoreError) -> Value {
        guard !text.contains(0) else { throw ForeignCoreError(.badInput, "the text holds a NUL byte") }
        let text = text.map(CChar.init(bitPattern:)) + [0]
        return text.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
