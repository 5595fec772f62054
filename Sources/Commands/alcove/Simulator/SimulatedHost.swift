import AppCore
import Host
import Sealing
import Simulator

/// A simulated world as a host, so that whatever attaches to hosts shows it: the page.
final class SimulatedHost: AttachedHost {
    private let simulator: Simulator
    /// Where files lie that pages give.
    let filesFolder: String

    init(_ simulator: Simulator, folder: String) {
        self.simulator = simulator
        filesFolder = folder + "/Files"
    }

    func read<Value: Sendable>(_ look: @Sendable (AppState) throws -> Value) async rethrows -> Value {
        try await simulator.read(look)
    }

    func dispatch(_ action: Action) async { await dispatch(action, in: nil, fresh: nil) }

    func dispatch(_ actions: [Action]) async { for action in actions { await dispatch(action) } }

    func dispatch(_ action: Action, in view: ViewID?, fresh: Fresh?) async {
        await simulator.dispatch(action, in: view, fresh: fresh)
    }

    /// Other clients change the simulator, too, so it is looked at as often as a screen shows something.
    func changes() async -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let watch = Task { [simulator] in
            var seen: UInt64 = 0
            while !Task.isCancelled {
                let count = await simulator.changeCount
                if count != seen { continuation.yield() }
                seen = count
                try? await Task.sleep(for: .milliseconds(16))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in watch.cancel() }
        return stream
    }

    func tree(for view: ViewID, windows: [String: Window.Request]) async -> SemanticNode? {
        await simulator.tree(for: view, windows: windows)
    }

    func offer(
        _ verb: Offer.Verb, at node: String, in view: ViewID, windows: [String: Window.Request]
    ) async -> Offer? {
        await tree(for: view, windows: windows)?.offer(verb, at: node)
    }

    var tree: SemanticNode {
        get async {
            await simulator.tree(for: .main, windows: [:])
                ?? SemanticNode(.screen, "core", .said("The core did not say what there is to see"))
        }
    }

    func secret(_ ref: SecretRef) async -> String? { await simulator.secret(ref) }
    func keep(secret: String) async throws -> SecretRef { await simulator.keep(secret: secret) }
    func forget(unused secrets: Set<SecretRef>) async {}
    func hold(secret: String) async throws -> SecretRef { await simulator.keep(secret: secret) }
    func tellSeen() async { await dispatch(.app(.tellSeen)) }
    func saw(_ message: MessageID, in room: RoomID) async { await dispatch(.app(.seen(room: room, upTo: message))) }

    // Its disk is always there, and its seals are only played.

    var isSaved: Bool { true }
    var notificationState: String? { nil }
    var ending: String? { nil }
    func keptFile(of message: MessageID, in room: RoomID) async -> KeptFile? { nil }
    func archive(_ handle: String) async -> KeptFile? { nil }
    func tidyArchives() async {}
    func usesGivenFile(_ message: MessageID, in room: RoomID) async -> Bool { true }
    var lender: AppHost? { nil }
    private static let isPlayed = Failure(.other, "the simulator seals nothing")

    func giveUpHandCarried() async {}
    func keysLeft(in room: RoomID) async throws -> KeysLeft { throw Self.isPlayed }
    func revocationNotice(_ room: RoomID) async throws -> [UInt8]? { nil }
    func sealFile(_ content: [UInt8], for room: RoomID) async throws -> [UInt8] { throw Self.isPlayed }
    func beginOpening(_ bytes: [UInt8]) async throws -> OpenedMessage { throw Self.isPlayed }
    func finishOpening(_ opened: OpenedMessage) async throws { throw Self.isPlayed }
    func openFile(
        _ bytes: [UInt8], store: @Sendable ([UInt8]) throws -> Void
    ) async throws -> (room: RoomID, seal: Seal) { throw Self.isPlayed }
    func recorded(withContent: Bool) async throws -> RecordedFlight? { nil }
    func stop() async {}
}
