import AppCore
import ForeignCore

/// A core from a library that speaks Alcove's JSON (`include/alcove_core.h`).
struct ForeignAlcoveCore: SimulatedCore {
    private let path: String
    private let core: ForeignCore
    /// The records that the core asked to save.
    private var disk: [RecordKey: String] = [:]

    init(path: String, state: JSONValue? = nil) throws {
        self.path = path
        core = try ForeignCore(library: path, state: state)
    }

    mutating func dispatch(_ input: Input) throws -> [Effect] {
        let report = try core.dispatch(JSON.encode(input))
        let effects = try report.effects.map { try read(Effect.self, $0, "an effect") }
        let saved = try report.records.map { try read(Saved.self, $0, "a record") }
        let keys = Set(saved.map(\.key))
        if effects.contains(where: { $0.type == "erase_all" && keys.contains(.erasing) }) { disk = [:] }
        for record in saved { disk[record.key] = record.json }
        return effects
    }

    func tree(in view: ViewID) throws -> SemanticNode {
        guard view == .main else {
            throw SimulatorError(.notSupported, "A core from a library has one view here: \(ViewID.main).")
        }
        return try read(SemanticNode.self, core.tree().bytes, "the tree")
    }

    var state: [UInt8] { get throws { try core.state().bytes } }

    func records(whileLocked: Bool) throws -> [Record] {
        disk.filter { !whileLocked || $0.key.isReadableWhileLocked }.map { Record(key: $0.key, json: $0.value) }
            .sorted { $0.key.path < $1.key.path }
    }

    /// As the state says, if it says it as ours does.
    var openEffects: [Effect]? {
        get throws {
            guard let pending = try core.state().value["ledger"]?["pending"] else { return nil }
            return try read([Effect].self, pending, "the open effects")
        }
    }

    func another() throws -> any SimulatedCore { try ForeignAlcoveCore(path: path) }

    func another(in state: JSONValue) throws -> (any SimulatedCore)? {
        do { return try ForeignAlcoveCore(path: path, state: state) } catch let error as ForeignCoreError {
            throw SimulatorError(.badTrace, "The core does not begin in the state in which the trace begins: \(error)")
        }
    }

    /// `nil`, because the state inside the library cannot be copied.
    var copy: (any SimulatedCore)? { nil }

    private func read<Value: Decodable>(_ type: Value.Type, _ json: JSONValue, _ what: String) throws -> Value {
        try read(type, JSON.encode(json), what)
    }

    private func read<Value: Decodable>(_ type: Value.Type, _ json: [UInt8], _ what: String) throws -> Value {
        do { return try JSON.decode(type, from: json) } catch let error as DecodingError {
            throw SimulatorError(.coreFailed, "The foreign core returned \(what) that cannot be read", error)
        }
    }
}
