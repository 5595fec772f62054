import AppCore
import ForeignCore

/// The core that a host carries: its own, or one in a library that speaks the C ABI (`docs/c-abi.md`) and Alcove's JSON.
struct HostedCore {
    /// What one step led to.
    struct Step {
        var effects: [Effect]
        /// What to save before the effects are carried out; `nil` removes.
        var records: [(key: RecordKey, value: [UInt8]?)]
    }

    private var own = Core()
    private let foreign: ForeignCore?
    /// What a foreign core said about its state, until its next step.
    private var known: AppState?

    /// - Throws: ``ForeignCoreError`` if the library cannot be loaded, or ``ForeignHostError``.
    init(library: String? = nil) throws {
        foreign = try library.map { library throws in try ForeignCore(library: library) }
        if let library, foreign?.dialect != .alcove { throw ForeignHostError.notAlcove(library) }
    }

    /// Whether it has several views and leaves most messages on the disk. Cores of version 0.2 do not.
    var hasViews: Bool { foreign?.hasViews ?? true }

    /// - Throws: only with a foreign core: ``ForeignCoreError``, or `DecodingError` if it speaks another JSON.
    mutating func dispatch(_ input: Input) throws -> Step {
        guard let foreign else {
            let outcome = own.dispatch(input)
            return Step(effects: outcome.effects, records: records(outcome.changes))
        }
        known = nil
        let report = try foreign.dispatch(JSON.encode(input))
        let effects = try report.effects.map { try JSON.decode(Effect.self, from: JSON.encode($0)) }
        let saved = try report.records.map { try JSON.decode(Saved.self, from: JSON.encode($0)) }
        return Step(effects: effects, records: saved.map { ($0.key, $0.json.map { Array($0.utf8) }) })
    }

    /// A record that cannot be written now (the core is locked) stays on disk as it is.
    private func records(_ keys: [RecordKey]) -> [(key: RecordKey, value: [UInt8]?)] {
        keys.compactMap { key in
            do { return (key, try own.record(for: key)) } catch { return nil }
        }
    }

    /// The state; an empty one if a foreign core returns something that is not a state.
    mutating func state() -> AppState {
        guard let foreign else { return own.state }
        if let known { return known }
        let state = (try? foreign.state()).flatMap { try? JSON.decode(AppState.self, from: $0.bytes) } ?? AppState()
        known = state
        return state
    }

    var tree: SemanticNode {
        tree(for: .main, windows: [:])
            ?? SemanticNode(.screen, "core", .said("The core did not say what there is to see"))
    }

    /// What a view offers at a node, by the verb; `nil` if that is gone.
    func offer(_ verb: Offer.Verb, at node: String, in view: ViewID, windows: [String: Window.Request]) -> Offer? {
        guard foreign != nil else { return own.offer(verb, at: node, in: view, windows: windows) }
        return tree(for: view, windows: windows)?.offer(verb, at: node)
    }

    /// What a view shows; `nil` if it is not open.
    func tree(for view: ViewID, windows: [String: Window.Request]) -> SemanticNode? {
        guard let foreign else { return own.tree(for: view, windows: windows) }
        if foreign.hasViews {
            let tree = try? foreign.tree(for: view, windows: windows)
            return tree.flatMap { try? JSON.decode(SemanticNode.self, from: JSON.encode($0)) }
        }
        guard view == .main else { return nil }
        return (try? foreign.tree()).flatMap { try? JSON.decode(SemanticNode.self, from: $0.bytes) }
    }
}

/// Why a library cannot be this host's core.
package enum ForeignHostError: Error, CustomStringConvertible {
    case notAlcove(String)

    package var description: String {
        switch self {
        case .notAlcove(let library):
            "\(library) does not speak alcove_core_*; the simulator can drive it: alcove sim serve --core \(library)"
        }
    }
}
