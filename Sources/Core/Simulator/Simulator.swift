package import AppCore
import ForeignCore
package import Layout
package import Scenarios

/// Plays the whole product without network, device or display, and answers questions about it: `docs/simulator.md`.
///
/// Many clients can ask at once; each request is answered by exactly one response, whatever it contains.
package actor Simulator {
    var simulation: Simulation
    /// In the place of the simulation, if the core is of the earlier shape.
    var jcode: JcodeSession?
    /// The trace that is being played step by step.
    var playback: Trace?
    /// How far things are scrolled in each view, and what has the focus there.
    private var viewports: [ViewID: ViewportState] = [:]
    /// The view that the present request is about.
    private(set) var current = ViewID.main
    let viewport: Viewport
    /// Set by `shutdown`: the daemon ends.
    package private(set) var isShutDown = false
    let newCore: @Sendable () throws -> any SimulatedCore
    let seed: UInt64
    let socketPath: String?
    let startedAt: Timestamp
    /// Goes up with everything that may change the picture.
    var revision: UInt64 = 1

    /// What is simulated.
    package enum Subject: Sendable, Hashable {
        case builtIn
        /// A shared library with a C interface: `alcove_core_*`, or `jcode_mobile_*`.
        case library(path: String)
    }

    /// - Parameters:
    ///   - scenario: where to begin.
    ///   - jcodeScenario: where a core of the shape `jcode_mobile_*` begins: it has scenarios of its own.
    ///   - seed: of everything that the world leaves to chance.
    ///   - viewport: the size of the screen.
    ///   - socketPath: what `status` says about where this simulator listens.
    ///   - startedAt: what `status` says about when it began.
    /// - Throws: ``SimulatorError`` if the scenario cannot be played, `ForeignCoreError` if the file is not a core library.
    package init(
        core: Subject = .builtIn, scenario: Scenario, jcodeScenario: String = "onboarding", seed: UInt64 = 0,
        viewport: Viewport = .phone,
        socketPath: String? = nil, startedAt: Timestamp = Timestamp(milliseconds: 0)
    ) throws {
        self.seed = seed
        self.viewport = viewport
        self.socketPath = socketPath
        self.startedAt = startedAt
        var newCore: @Sendable () throws -> any SimulatedCore = { BuiltInCore() }
        if case .library(let path) = core {
            if try ForeignCore(library: path).dialect == .jcode {
                jcode = try JcodeSession(path: path, scenario: jcodeScenario)
            } else {
                newCore = { try ForeignAlcoveCore(path: path) }
            }
        }
        self.newCore = newCore
        let isForeign = jcode != nil
        simulation = try Simulation(core: isForeign ? BuiltInCore() : try newCore(), scenario: scenario, seed: seed)
    }

    /// Does what a request asks for.
    package func answer(_ request: Request) async -> Response {
        do {
            guard let method = Self.methods[request.method] else {
                let names = Self.methods.keys.sorted().joined(separator: ", ")
                throw SimulatorError(
                    .unknownMethod, "There is no method \"\(request.method.prefix(64))\". There are: \(names).")
            }
            let parameters = try Parameters(request)
            current = try parameters.view()
            if jcode != nil, !Self.shared.contains(request.method) {
                return Response(id: request.id, result: try answerAsJcode(request.method, parameters))
            }
            return Response(id: request.id, result: try await method(self, parameters))
        } catch let error as SimulatorError {
            return Response(id: request.id, error)
        } catch {
            return Response(id: request.id, SimulatorError(.coreFailed, "The core failed: \(error)"))
        }
    }

    /// Answers a line; one that is no request gets an answer too.
    package func answer(line: some Sequence<UInt8>) async -> Response {
        do {
            return await answer(try JSON.decode(Request.self, from: line))
        } catch {
            let what = "This line is no request; write {\"id\":1,\"method\":\"status\",\"params\":{}}"
            let reason = (error as? DecodingError).map { SimulatorError(.badRequest, what, $0) }
            return Response(id: .null, reason ?? SimulatorError(.badRequest, what))
        }
    }

    typealias Method = @Sendable (isolated Simulator, Parameters) async throws -> JSONValue

    static let methods: [String: Method] = [
        looking, picturing, acting, asserting, history, setup, faults, notes, apps, voices,
    ]
    .reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }

    private func answerAsJcode(_ name: String, _ parameters: Parameters) throws -> JSONValue {
        let result = try Self.jcode[name].flatMap { method in try actAsJcode { try method(&$0, parameters) } }
        guard let result else {
            throw SimulatorError(.notSupported, "\(name): a core of the shape jcode_mobile_* cannot do this.")
        }
        return result
    }

    /// Does something with a core of the earlier shape; `nil` if the core is of another.
    func actAsJcode(_ act: (inout JcodeSession) throws -> JSONValue) throws -> JSONValue? {
        guard var session = jcode else { return nil }
        defer {
            jcode = session
            revision += 1
        }
        return try act(&session)
    }

    /// Changes the simulation and wakes the callers that wait for a change.
    func change<Value>(_ change: (inout Simulation) throws -> Value) rethrows -> Value {
        defer { revision += 1 }
        return try change(&simulation)
    }

    /// Begins again with a scenario.
    func load(_ scenario: Scenario) throws {
        let fresh = try Simulation(core: try newCore(), scenario: scenario, seed: seed)
        change { $0 = fresh }
        playback = nil
        viewports = [:]
    }

    /// How far things are scrolled in the view that the request is about, and what has the focus.
    var view: ViewportState {
        get { viewports[current] ?? ViewportState() }
        set { viewports[current] = newValue }
    }

    /// What there is to see and to do in that view.
    var tree: SemanticNode { get throws { try simulation.core.tree(in: current) } }

    func shutDown() { isShutDown = true }
}
