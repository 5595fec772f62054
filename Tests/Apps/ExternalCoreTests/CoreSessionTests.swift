import ComponentRuntime
import ExternalCore
import Synchronization
import Testing
import Wire

/// The whole way with a real core: loading, signing in, windows, components, signing out, and starting again.
@Suite("A session of a core", .timeLimit(.minutes(3)))
struct CoreSessionTests {
    private let test: TestCore
    private let startup = "startup.app.privacysafe.io"
    private let launcher = "launcher.app.privacysafe.io"

    init() throws { test = try TestCore() }

    private func session() -> CoreSession {
        let test = test
        let windows = CoreWindows(
            show: { connector, app, entrypoint in test.say("window \(connector) \(app)\(entrypoint)") },
            focus: { test.say("focus \($0)") }, close: { test.say("close \($0)") })
        return CoreSession(windows: windows, components: InProcessSandbox())
    }

    private func page(of session: CoreSession, _ connector: String) async throws -> StartupPage {
        try await StartupPage { receive in try await session.attach(connector, receive: receive) }
    }

    @Test("A person signs in, opens apps and signs out")
    func wholeWay() async throws {
        let session = session()
        try await session.start(TestCore.bundle(), test.configuration)
        await session.open("chat.example")
        #expect(await test.hears("window 2 \(startup)/index.html"))
        let page = try await page(of: session, "2")
        #expect(try await page("signIn", ["name": "ann", "password": "wrong"]) == false)
        #expect(await session.boot.phase == .loggingIn)
        page.send("signIn", ["name": "ann", "password": "right"])
        #expect(await test.hears("close 2"))
        #expect(await test.hears("window 3 \(launcher)/index.html"))
        #expect(await test.hears("window 4 chat.example/index.html"))
        #expect(await session.boot.phase == .signedIn(user: "ann"))
        await session.open(startup)
        #expect(await test.hears("focus 3"))
        await session.stop()
        #expect(await session.boot.phase == .ended)
        #expect(await test.hears("close 3"))
        await #expect(throws: CoreError.self) { try await session.attach("3") { _ in } }
    }

    @Test("A stop before anybody signed in is no news")
    func quietStop() async throws {
        let said = Mutex<[String]>([])
        let test = test
        let windows = CoreWindows(
            show: { connector, app, entrypoint in test.say("window \(connector) \(app)\(entrypoint)") },
            focus: { _ in }, close: { _ in })
        let session = CoreSession(windows: windows, components: InProcessSandbox()) { event in
            if case .uncaught(let text) = event { said.withLock { $0.append(text) } }
        }
        try await session.start(TestCore.bundle(), test.configuration)
        await session.open(startup)
        #expect(await test.hears("window 2 \(startup)/index.html"))
        await session.stop()
        #expect(await session.boot.phase == .ended)
        // What waits for a sign-in would have been heard of when the ports were closed.
        for _ in 0..<100 { await Task.yield() }
        #expect(said.withLock(\.self) == [])
    }

    @Test("The core starts components, shows windows, and ends everything when it exits")
    func wishes() async throws {
        let session = session()
        try await session.start(TestCore.bundle(), test.configuration)
        await session.open(startup)
        #expect(await test.hears("window 2 \(startup)/index.html"))
        let page = try await page(of: session, "2")
        _ = try await page("startComponent", ["entrypoint": "/background.mjs"])
        let isLogged = await eventually { (try? await page("logged")) == ["info: hello from the background"] }
        #expect(isLogged)
        _ = try await page("showComponent", ["domain": "call.example"])
        #expect(await test.hears("window 4 call.example/index.html"))
        page.send("exit")
        #expect(await test.hears("exit"))
        #expect(await test.hears("close 4"))
        #expect(await eventually { await session.boot.phase == .ended })
    }

    @Test("Who wished so is signed in at the next start without a page")
    func automaticSignIn() async throws {
        let first = session()
        try await first.start(TestCore.bundle(), test.configuration)
        #expect(await first.follow("w3n://privacysafe/signup/token"))
        #expect(await !first.follow("https://a.example/"))
        #expect(await test.hears("window 2 \(startup)/index.html#c2lnbnVw"))
        let page = try await page(of: first, "2")
        page.send("signIn", ["name": "ann", "password": "right", "automatic": true])
        #expect(await test.hears("window 3 \(launcher)/index.html"))
        await first.stop()
        test.said.withLock { $0 = [] }

        let second = session()
        try await second.start(TestCore.bundle(), test.configuration)
        await second.open(launcher)
        #expect(await test.hears("window 2 \(launcher)/index.html"))
        #expect(await second.boot.phase == .signedIn(user: "ann"))
        #expect(test.said.withLock { $0.count } == 1)
        await second.stop()
    }

    @Test("A bundle that is none leaves nothing behind")
    func badBundle() async throws {
        let session = session()
        await #expect(throws: CoreError.self) {
            try await session.start(CoreBundle(name: "bad.js", code: "throw 1"), test.configuration)
        }
        #expect(await session.boot.phase == .ended)
        await session.stop()
    }
}
