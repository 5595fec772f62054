import ComponentRuntime
import Components
import Cryptography
import ExternalCore
import HostFunctions
import LoopbackWeb
import Networking
import Synchronization
import Testing
import Wire

@Suite("A core and its host", .timeLimit(.minutes(3)))
struct CoreHostTests {
    private let test: TestCore

    init() throws { test = try TestCore() }

    private func withPage(_ body: (CoreHost, StartupPage) async throws -> Void) async throws {
        let core = try await test.start()
        do {
            let entry = try await core.functions.launch("startup.app.privacysafe.io")
            try await body(core, StartupPage { try await core.attach(entry.connector, receive: $0) })
        } catch {
            await core.stop()
            throw error
        }
        await core.stop()
    }

    @Test("A device's file system does all that a core needs")
    func deviceFileSystem() async throws {
        try await withPage { core, page in
            let results = try await page("specs").object
            #expect((results?.members.count ?? 0) >= 64)
            for result in results?.members ?? [] { #expect(result.value == .null, "\(result.name): \(result.value)") }
        }
    }

    @Test("Keys, boxes and scrypt work natively")
    func cryptography() async throws {
        try await withPage { core, page in
            #expect(try await page("keystore", ["value": "secret"]) == "secret")
            let box = try await page("box", ["message": "hello"]).object
            #expect(box?["opened"] == "hello" && box?["failure"]?.object?["failedCipherVerification"] == true)
            let derived = try await page("scrypt", ["logN": 10, "r": 1, "p": 2]).object
            let key = try Scrypt.derive(
                SecretBytes(copying: "pleaseletmein".utf8), salt: Array("SodiumChloride".utf8),
                cost: Scrypt.Cost(logN: 10, r: 1, p: 2), count: 32)
            let hex = key.withUnsafeBytes {
                $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
            #expect(derived?["key"] == .string(hex))
            #expect(derived?["percents"] == [0])
        }
    }

    @Test("Requests and WebSockets reach the web")
    func web() async throws {
        try await WebServer.run { server, port in
            try await withPage { core, page in
                let reply = try await page(
                    "request",
                    [
                        "method": "POST", "url": .string("http://127.0.0.1:\(port)/x"), "responseType": "json",
                        "body": ["a": 1], "responseHeaders": ["X-Obj-Version"], "sessionId": "s1",
                    ]
                ).object
                #expect(reply?["status"] == 200 && reply?["data"] == ["a": 1])
                #expect(reply?["headers"] == ["x-obj-version": "12"])
                #expect(server.lastRequest?.headers["x-session-id"] == "s1")
                let failure = await page.reply(to: "request", ["method": "GET", "url": "http://127.0.0.1:1/"])["error"]
                #expect(failure?.object?["type"] == "connect" && failure?.object?["connectType"] == "http")

                let url = JSONValue.string("ws://127.0.0.1:\(port)/events")
                let talk: JSONObject = ["url": url, "messages": ["one", "zwei ☀️"], "closesWith": 1000]
                let heard = try await page("socket", talk).object
                #expect(heard?["heard"] == ["one", "zwei ☀️"] && heard?["end"] == "complete")
                guard case .array(let states)? = heard?["states"] else { return #expect(Bool(false), "no states") }
                #expect(states.last == "disconnected")
                let refused = try await page("socket", ["url": .string("ws://127.0.0.1:\(port)/refused")]).object
                #expect(refused?["status"] == 403)
            }
        }
    }

    @Test("Windows, the browser, assets and the network go through the host")
    func actions() async throws {
        try await withPage { core, page in
            #expect(try await page("online") == "online_80%")
            core.suspend()
            #expect(try await page("online") == "offline_99%")
            core.resume()
            #expect(try await page("online") == "online_80%")
            _ = try await page("open", ["url": "https://a.example/"])
            _ = try await page("errorBox", ["title": "oh"])
            _ = try await page("showComponent", ["domain": "chat.example"])
            #expect(await page.reply(to: "open", ["url": "file:///etc/passwd"])["error"] != nil)
            #expect(await page.reply(to: "scan")["error"]?.object?["notAvailable"] == true)
            let assets = try await page("assets", ["path": "/manifest.json"]).object
            #expect(assets?["content"] == "{}")
            #expect(
                test.said.withLock { $0 } == ["open https://a.example/", "error oh", "show chat.example /index.html"])
        }
    }

    @Test("Code of apps comes from the core, in parts")
    func code() async throws {
        try await withPage { core, page in
            let large = try await core.file("/large.bin", of: "2")
            #expect(large == Array(repeating: UInt8(ascii: "x"), count: 300_000))
            let error = await #expect(throws: CoreError.self) { try await core.file("/missing", of: "2") }
            #expect(error?.code == .missing)
            #expect(try await core.functions.isBundled("launcher.app.privacysafe.io"))
            #expect(try await !core.functions.isBundled("chat.example"))
            #expect(try await core.functions.names(at: ["w3n", "no"], in: "2") == [])
            #expect(try await core.functions.processBeforeLogin(url: "w3n://add-contact/?a=b") == "")
        }
    }

    @Test("A headless component runs beside the core and calls it")
    func components() async throws {
        let components = HeadlessComponents(behind: InProcessSandbox())
        let core = Box()
        var configuration = test.configuration
        configuration.actions.startComponent = { component async throws(NativeError) in
            guard let core = core.value else { throw .text("too early") }
            do throws(CoreError) { try await components.start(component, in: core) } catch {
                throw .text(error.message)
            }
        }
        let host = try await CoreHost.start(TestCore.bundle(), configuration)
        core.value = host
        let entry = try await host.functions.launch("startup.app.privacysafe.io")
        let page = try await StartupPage { try await host.attach(entry.connector, receive: $0) }
        _ = try await page("startComponent", ["entrypoint": "/background.mjs"])
        let isLogged = await eventually { (try? await page("logged")) == ["info: hello from the background"] }
        #expect(isLogged)
        #expect(await page.reply(to: "startComponent", ["entrypoint": "/syntax.mjs"])["error"] != nil)
        #expect(await page.reply(to: "startComponent", ["entrypoint": "/missing.mjs"])["error"] != nil)
        await components.close()
        let isTold = await eventually {
            guard case .array(let closed)? = try? await page("closed") else { return false }
            return closed.count == 3
        }
        #expect(isTold, "the core was not told that its components are gone")
        await host.stop()
    }

    @Test("A connector has one component, and one that the core did not give out has none")
    func connectors() async throws {
        try await withPage { core, page in
            let again = await #expect(throws: CoreError.self) { try await core.attach("2") { _ in } }
            #expect(again?.code == .failed)
            await #expect(throws: CoreError.self) { try await core.attach("77") { _ in } }
            await #expect(throws: CoreError.self) { try await core.attach("77") { _ in } }
            await core.close("2")
            await core.close("2")
        }
    }

    @Test(
        "What is no core says so",
        arguments: [
            "", "throw new Error('broken')", "not a script", "var core3NWeb = {init: () => ({})}",
            "var core3NWeb = {init: () => { throw 1 }}",
            "module.exports = {}",
        ])
    func badBundles(code: String) async throws {
        await #expect(throws: CoreError.self) {
            try await CoreHost.start(CoreBundle(name: "bad.js", code: code), test.configuration)
        }
    }

    @Test("A core that does not answer is not waited for for ever, and one that has ended answers nothing")
    func silence() async throws {
        var configuration = test.configuration
        configuration.patience = .milliseconds(500)
        let core = try await CoreHost.start(TestCore.bundle(), configuration) { [test] event in
            test.logged.withLock { $0.append(event) }
        }
        let late = await #expect(throws: CoreError.self) { try await core.functions.launch("stalls.example") }
        #expect(late?.code == .timeout)
        let user = Task { try await core.functions.signedInUser() }
        await core.stop()
        await core.stop()
        await #expect(throws: CoreError.self) { try await user.value }
        await #expect(throws: CoreError.self) { try await core.functions.launch("startup.app.privacysafe.io") }
        await #expect(throws: CoreError.self) { try await core.attach("2") { _ in } }
        #expect(test.logged.withLock { $0.filter { $0 == .ended(.stopped) }.count } == 1)
    }

    private final class Box: @unchecked Sendable {
        // Written once before anything reads it.
        var value: CoreHost?
    }
}
