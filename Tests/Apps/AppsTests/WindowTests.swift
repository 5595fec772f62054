import Apps
import Components
import Foundation
import Networking
import Testing

/// Components that are pages.
@Suite("Windows of apps", .timeLimit(.minutes(2)))
struct WindowTests {
    private static let page: PackPath = .indexPage

    private func install(_ apps: TestApps, many: Bool = true) throws -> AppDomain {
        try apps.install(
            components: [
                "/index.html": """
                {"runtime": "web-gui", "multiInstances": \(many), "capsRequested": {"logToPlatform": true}}
                """
            ], scripts: ["index.html": "<!doctype html><title>One</title>"])
    }

    private func address(of instance: UInt64, _ platform: AppPlatform) async throws -> URLComponents {
        guard case .entrance(let text) = try await platform.ask(.entrance(instance: instance)),
            let address = URLComponents(string: text)
        else { throw AppFailure(.unavailable, "no address") }
        return address
    }

    private func status(of address: URLComponents) async throws -> Int {
        let server = ServerURL(host: "127.0.0.1", port: try #require(address.port))
        return try await HTTPClient().send(HTTPRequest(path: "/"), to: server, timeout: .seconds(30)).status
    }

    @Test("a window has an address, another one for each browser")
    func aWindowHasAnAddress() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let platform = apps.platform()
        let window = try await platform.run(install(apps), component: Self.page)
        #expect(window.state == .running && window.entrypoint == "/index.html")
        let address = try await address(of: window.id, platform)
        #expect(address.host?.hasSuffix(".localhost") == true)
        let ticket = try #require(address.queryItems?.first?.value)
        #expect(try await self.address(of: window.id, platform).queryItems?.first?.value != ticket)
        // It listens, and gives nothing to who names another host.
        #expect(try await status(of: address) == 403)
        await platform.close()
    }

    @Test("what is no window has no address, nor has one that has ended")
    func noAddress() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let platform = apps.platform()
        await #expect(throws: AppFailure.self) { try await platform.ask(.entrance(instance: 7)) }
        let app = try install(apps)
        let window = try await platform.run(app, component: Self.page)
        let address = try await address(of: window.id, platform)
        await platform.stop(app)
        #expect(await platform.running.isEmpty)
        await #expect(throws: AppFailure.self) { try await platform.ask(.entrance(instance: window.id)) }
        await #expect(throws: (any Error).self) { try await status(of: address) }
        await platform.close()
    }

    @Test("a window ends when no browser shows it")
    func anUnseenWindowEnds() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let platform = apps.platform { $0.windowPatience = .milliseconds(1) }
        let reports = platform.reports()
        let window = try await platform.run(install(apps), component: Self.page)
        for await case .changed(let instance, let reason) in reports
        where instance.id == window.id && instance.state == .ended {
            #expect(reason == nil)
            break
        }
        await platform.close()
    }

    @Test("an app has several windows if it says so, and not too many")
    func severalWindows() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let platform = apps.platform { $0.windowsOfApp = 2 }
        let app = try install(apps)
        let first = try await platform.run(app, component: Self.page)
        let second = try await platform.run(app, component: Self.page)
        #expect(first.id != second.id)
        let one = try await address(of: first.id, platform)
        #expect(try await one.host != address(of: second.id, platform).host)
        await #expect(throws: AppFailure.self) { try await platform.run(app, component: Self.page) }
        await platform.stop(app)
        _ = try await platform.run(app, component: Self.page)
        await platform.close()
    }

    @Test("an app that wants one window has one")
    func oneWindow() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let platform = apps.platform()
        let app = try install(apps, many: false)
        let first = try await platform.run(app, component: Self.page)
        #expect(try await platform.run(app, component: Self.page).id == first.id)
        await platform.close()
    }
}
