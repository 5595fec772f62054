public import AppCore
public import Layout
public import Scenarios

/// Plays the whole product without network, device or display, and answers questions about it: `docs/simulator.md`.
///
/// Many clients can ask at once; each request is answered by exactly one response, whatever it contains.
public actor Simulator {
    var simulation: Simulation
    /// How far things are scrolled, and what has the focus.
    var view = ViewState()
    let viewport: Viewport
    /// Set by `shutdown`: the daemon ends.
    public private(set) var isShutDown = false
    let newCore: @Sendable () throws -> any SimulatedCore
    let seed: UInt64
    let socketPath: String?
    let startedAt: Timestamp
    /// Goes up with everything that may change the picture.
    var revision: UInt64 = 1

    /// - Parameters:
    ///   - scenario: where to begin.
    ///   - seed: of everything that the world leaves to chance.
    ///   - viewport: the size of the screen.
    ///   - socketPath: what `status` says about where this simulator listens.
    ///   - startedAt: what `status` says about when it began.
    /// - Throws: ``SimulatorError`` if the scenario cannot be played.
    public init(
        scenario: Scenario, seed: UInt64 = 0, viewport: Viewport = .phone, socketPath: String? = nil,
        startedAt: Timestamp = Timestamp(milliseconds: 0)
    ) throws {
        try self.init(core: { BuiltInCore() }, scenario, seed, viewport, socketPath, startedAt)
    }

    init(
        core: @escaping @Sendable () throws -> any SimulatedCore, _ scenario: Scenario, _ seed: UInt64,
        _ viewport: Viewport, _ socketPath: String?, _ startedAt: Timestamp
    ) throws {
        newCore = core
        self.seed = seed
        self.viewport = viewport
        self.socketPath = socketPath
        self.startedAt = startedAt
        simulation = try Simulation(core: try core(), scenario: scenario, seed: seed)
    }

    /// Does what a request asks for.
    public func answer(_ request: Request) async -> Response {
        do {
            guard let method = Self.methods[request.method] else {
                let names = Self.methods.keys.sorted().joined(separator: ", ")
                throw SimulatorError(
                    .unknownMethod, "There is no method \"\(request.method.prefix(64))\". There are: \(names).")
            }
            return Response(id: request.id, result: try await method(self, try Parameters(request)))
        } catch let error as SimulatorError {
            return Response(id: request.id, error)
        } catch {
            return Response(id: request.id, SimulatorError(.coreFailed, "The core failed: \(error)"))
        }
    }

    /// Answers a line; one that is no request gets an answer too.
    public func answer(line: some Sequence<UInt8>) async -> Response {
        do {
            return await answer(try JSON.decode(Request.self, from: line))
        } catch {
            let what = "This line is no request; write {\"id\":1,\"method\":\"status\",\"params\":{}}"
            let reason = (error as? DecodingError).map { SimulatorError(.badRequest, what, $0) }
            return Response(id: .null, reason ?? SimulatorError(.badRequest, what))
        }
    }

    typealias Method = @Sendable (isolated Simulator, Parameters) async throws -> JSONValue

    static let methods: [String: Method] = [looking, picturing, acting, asserting, history, staging, faults]
        .reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }

    /// Changes the simulation; whoever waits for changes is told.
    func change<Value>(_ change: (inout Simulation) throws -> Value) rethrows -> Value {
        defer { revision += 1 }
        return try change(&simulation)
    }

    /// Begins again with a scenario.
    func load(_ scenario: Scenario) throws {
        let fresh = try Simulation(core: try newCore(), scenario: scenario, seed: seed)
        change { $0 = fresh }
        view = ViewState()
    }

    func shutDown() { isShutDown = true }
}
