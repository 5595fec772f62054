package import AppCore

/// A core that a ``World`` can be put around: the built-in one, or one behind the C ABI that speaks the same JSON.
package protocol SimulatedCore: Sendable {
    /// Lets something happen.
    mutating func dispatch(_ input: Input) throws -> [Effect]
    /// What there is to see and to do in a view.
    func tree(in view: ViewID) throws -> SemanticNode
    /// The same with the rows of long lists that are asked for; `nil` if the view is not open.
    func tree(in view: ViewID, windows: [String: Window.Request]) throws -> SemanticNode?
    /// The state.
    var appState: AppState { get throws }
    /// The state, as canonical JSON.
    var state: [UInt8] { get throws }
    /// The records that a host would have on its disk.
    func records(whileLocked: Bool) throws -> [Record]
    /// How many messages of a room stay in memory; `nil` if all do.
    var recentMessages: Int? { get throws }
    /// The answer of the disk to what this effect wants of a room's history; `nil` if it has none.
    func history(for effect: EffectID) throws -> Event?
    /// The effects that wait for an answer; `nil` if the core does not say.
    var openEffects: [Effect]? { get throws }
    /// Another core of the same kind, to which nothing has happened.
    func another() throws -> any SimulatedCore
    /// Another core of the same kind that goes on from a state; `nil` if cores of this kind begin with nothing only.
    func another(in state: JSONValue) throws -> (any SimulatedCore)?
    /// The same core as it is now, to go on from later; `nil` if it cannot be copied.
    var copy: (any SimulatedCore)? { get }
}

extension SimulatedCore {
    /// What there is to see and to do in the main view.
    package var tree: SemanticNode { get throws { try tree(in: .main) } }

    package func tree(in view: ViewID, windows: [String: Window.Request]) throws -> SemanticNode? {
        try tree(in: view)
    }

    package var appState: AppState { get throws { try JSON.decode(AppState.self, from: state) } }

    package func another(in state: JSONValue) throws -> (any SimulatedCore)? { nil }

    package var recentMessages: Int? { nil }

    package func history(for effect: EffectID) throws -> Event? { nil }
}

/// The core that this program is built with.
package struct BuiltInCore: SimulatedCore {
    private(set) var driver = CoreDriver()

    package init() {}

    package func another(in state: JSONValue) throws -> (any SimulatedCore)? {
        do {
            var core = BuiltInCore()
            core.driver = CoreDriver(state: try AppState(json: state))
            return core
        } catch let error as DecodingError {
            throw SimulatorError(.badTrace, "The state in which the trace begins cannot be read", error)
        }
    }

    package mutating func dispatch(_ input: Input) -> [Effect] { driver.dispatch(input).outcome.effects }
    package func tree(in view: ViewID) throws -> SemanticNode {
        guard let tree = driver.core.tree(for: view) else {
            throw SimulatorError(.badRequest, "There is no view \(view).")
        }
        return tree
    }

    package func tree(in view: ViewID, windows: [String: Window.Request]) -> SemanticNode? {
        driver.core.tree(for: view, windows: windows)
    }

    package var appState: AppState { driver.state }
    package var state: [UInt8] { get throws { try JSON.encode(driver.state) } }
    package var openEffects: [Effect]? { driver.openEffects }
    package func another() -> any SimulatedCore { BuiltInCore() }
    package var copy: (any SimulatedCore)? { self }

    package func records(whileLocked: Bool) -> [Record] {
        let isWanted = { (key: RecordKey) in !whileLocked || key.isReadableWhileLocked }
        return recentMessages == nil ? driver.records(where: isWanted) : driver.recentRecords(where: isWanted)
    }

    package var recentMessages: Int? { driver.state.recentMessages }

    package func history(for effect: EffectID) -> Event? {
        driver.openEffects.first { $0.id == effect }.flatMap(driver.history)
    }
}
