import AppCore
import Foundation
import Host
import PageServer
import Simulator

/// The page on the world of a simulator: served once somebody asks for it, until the simulator ends.
actor SimulatedPage {
    private let simulator: Simulator
    private var served: (page: PageServer, folder: String, time: Task<Void, Never>?)?

    /// How often time passes, in milliseconds.
    private static let step: Int64 = 50

    init(_ simulator: Simulator) { self.simulator = simulator }

    /// Answers a request of the method `page`: `port` where to listen, and `stands_still` if time passes only as clients say.
    /// - Returns: `address`, which lets one browser in, once, and `folder`, for a file that leads to it.
    func answer(_ request: Request) async -> Response {
        do {
            let port = request.params["port"]?.integer.flatMap { Int(exactly: $0) }
            let page = try await serve(isLive: request.params["stands_still"]?.bool != true)
            let address = try await page.page.address(port: port)
            return Response(
                id: request.id, result: .object(["address": .string(address), "folder": .string(page.folder)]))
        } catch {
            let reason = (error as? PageError)?.message ?? ErrorWords.sentence(error)
            return Response(id: request.id, SimulatorError(.notSupported, "The page cannot be served: \(reason)."))
        }
    }

    private func serve(isLive: Bool) async throws -> (page: PageServer, folder: String) {
        guard await !simulator.isEarlierShape else {
            throw SimulatorError(.notSupported, "a core of the shape jcode_mobile_* has no page")
        }
        if let served { return (served.page, served.folder) }
        let folder = NSTemporaryDirectory() + "/alcove-sim-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let page = PageServer(
            AttachServer(SimulatedHost(simulator, folder: folder)), folder: PageLocation.folder, profile: folder,
            // Its apps are played: they have no windows and no pictures.
            apps: PageApps { _ in
                throw CancellationError()
            } picture: { _ in
                nil
            })
        served = (page, folder, isLive ? passTime() : nil)
        return (page, folder)
    }

    private func passTime() -> Task<Void, Never> {
        Task { [simulator] in
            while (try? await Task.sleep(for: .milliseconds(Self.step))) != nil {
                await simulator.pass(milliseconds: Self.step)
            }
        }
    }

    func stop() async {
        guard let served else { return }
        served.time?.cancel()
        await served.page.stop()
        try? FileManager.default.removeItem(atPath: served.folder)
    }
}
