import AppPacks
import Apps
import Components
import Foundation
import Testing

/// Another process of the same person, asking at the control socket.
@Suite("The control socket")
struct AppControlTests {
    @Test("what another process asks for is done here, and it hears what is said")
    func askingAtTheDoor() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": PlatformTests.command],
            scripts: [
                "main.mjs":
                    "await w3n.log('info', (await w3n.shell.getStartedCmd()).params.join()); await new Promise(() => {});"
            ])
        let platform = apps.platform()
        let socket = apps.folder.path + "/door"
        let server = try AppControlServer(path: socket, to: platform)
        let control = try #require(RemoteAppControl(path: socket))

        guard
            case .started(let instance, _) = try await control.ask(
                .run(app: app.name, component: nil, command: "go", parameters: ["a"]))
        else { return #expect(Bool(false), "it did not start") }
        guard case .printed(let lines, _, nil) = try await control.ask(.follow(instance: instance, from: 0))
        else { return #expect(Bool(false), "it ended") }
        #expect(lines.map(\.text) == ["a"])
        guard case .status(let running) = try await control.ask(.status) else {
            return #expect(Bool(false), "no status")
        }
        #expect(running.map(\.entrypoint) == ["/main.mjs"])
        #expect(running.map(\.state) == [.running])
        #expect(try await control.ask(.stop(app: app.name)) == .done)
        guard case .printed(_, _, let end?) = try await control.ask(.follow(instance: instance, from: 1))
        else { return #expect(Bool(false), "it did not end") }
        #expect(!end.isOrderly)
        #expect(end.text.contains("was stopped"))

        let error = await #expect(throws: AppFailure.self) {
            try await control.ask(.run(app: "none.example", component: nil, command: nil, parameters: []))
        }
        #expect(error?.code == .unknownApp)
        await server.stop()
        #expect(RemoteAppControl(path: socket) == nil)
        await platform.close()
    }

    @Test(
        "who follows a component that others end hears why",
        arguments: [
            (AppControlRequest.stop(app: "one.example"), "was stopped"),
            (.stop(app: "one.example", instance: 1), "was stopped"),
            (.packsChanged(app: "one.example", because: .update), "being updated"),
            (.packsChanged(app: "one.example", because: .removal), "being removed"),
            (.packsChanged(app: "one.example"), "being updated"),
        ])
    func reasons(request: AppControlRequest, words: String) async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": PlatformTests.command], scripts: ["main.mjs": Self.endless])
        let platform = apps.platform()
        let instance = try await platform.run(app, command: StartCommand("go"))
        _ = try await platform.ask(request)
        let end = try await platform.transcript(of: instance.id).end
        #expect(!end.isOrderly)
        #expect(end.text.contains(words))
        await platform.close()
    }

    @Test("a client that runs something is waited for until it knows of its end")
    func clients() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": PlatformTests.command], scripts: ["main.mjs": Self.endless])
        let runtime = try apps.runtime()
        #expect(await !runtime.hasClients)
        let client = try #require(AppRuntime.elsewhere(apps.library)).control
        guard
            case .started(let instance, _) = try await client.ask(
                .run(app: app.name, component: nil, command: "go", parameters: []))
        else { return #expect(Bool(false), "it did not start") }
        #expect(await runtime.hasClients)
        #expect(try await runtime.control.ask(.stop(app: app.name)) == .done)
        guard case .printed(_, _, .some) = try await client.ask(.follow(instance: instance, from: 0))
        else { return #expect(Bool(false), "it did not end") }
        #expect(await !runtime.hasClients)
        await runtime.close()
    }

    @Test(
        "a client that has gone without a word is waited for as long as what it ran, and a little longer",
        .timeLimit(.minutes(1)))
    func vanishedClient() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": PlatformTests.command], scripts: ["main.mjs": Self.endless])
        let runtime = try apps.runtime(lastWords: .milliseconds(200))
        let client = try #require(AppRuntime.elsewhere(apps.library)).control
        _ = try await client.ask(.run(app: app.name, component: nil, command: "go", parameters: []))
        try await Task.sleep(for: .milliseconds(300))
        #expect(await runtime.hasClients)
        #expect(try await runtime.control.ask(.stop(app: app.name)) == .done)
        while await runtime.hasClients {
            // What others ask is no sign of life from it.
            _ = try await client.ask(.status)
            try await Task.sleep(for: .milliseconds(20))
        }
        await runtime.close()
    }

    @Test("of several clients that follow the same, each is waited for")
    func clientsOfTheSame() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": #"{"runtime": "deno", "startCmds": {"go": {}}}"#],
            scripts: ["main.mjs": "w3n.shell.watchStartCmds({}); " + Self.endless])
        let runtime = try apps.runtime()
        let client = try #require(AppRuntime.elsewhere(apps.library)).control
        let request = AppControlRequest.run(app: app.name, component: nil, command: "go", parameters: [])
        let started = try await client.ask(request)
        #expect(try await client.ask(request) == started)
        guard case .started(let instance, _) = started else { return #expect(Bool(false), "it did not start") }
        #expect(try await runtime.control.ask(.stop(app: app.name)) == .done)
        for isWaitedFor in [true, false] {
            guard case .printed(_, _, .some) = try await client.ask(.follow(instance: instance, from: 0))
            else { return #expect(Bool(false), "it did not end") }
            #expect(await runtime.hasClients == isWaitedFor)
        }
        await runtime.close()
    }

    @Test("a client is waited for until it has read everything")
    func slowClient() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": PlatformTests.command],
            scripts: [
                "main.mjs": "for (let n = 0; n < 700; n++) await w3n.log('info', `${n}`); w3n.closeSelf();"
            ])
        let runtime = try apps.runtime()
        let client = try #require(AppRuntime.elsewhere(apps.library)).control
        guard
            case .started(let instance, _) = try await client.ask(
                .run(app: app.name, component: nil, command: "go", parameters: []))
        else { return #expect(Bool(false), "it did not start") }
        while await runtime.platform?.running.isEmpty == false { try await Task.sleep(for: .milliseconds(10)) }
        var next = 0
        while case .printed(_, let following, nil) = try await client.ask(.follow(instance: instance, from: next)) {
            #expect(await runtime.hasClients)
            next = following
        }
        #expect(next > 0)
        #expect(await !runtime.hasClients)
        await runtime.close()
    }

    @Test("what cannot be started with the system does not keep the others from it")
    func startups() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        for (domain, script) in [("bad.example", "throw new Error('broken')"), ("good.example", Self.endless)] {
            try apps.install(
                domain, components: ["/service.mjs": #"{"runtime": "deno"}"#], scripts: ["service.mjs": script],
                more: #", "launchOnSystemStartup": [{"name": "S", "icon": "", "component": "/service.mjs"}]"#)
        }
        let platform = apps.platform()
        guard case .startup(let outcome) = try await platform.ask(.startup(app: nil)) else {
            return #expect(Bool(false), "no outcome")
        }
        #expect(outcome.running.map(\.app) == ["good.example"])
        #expect(outcome.failures.count == 1)
        #expect(outcome.failures.first?.explanation.contains("bad.example") == true)
        await platform.close()
    }

    @Test("who follows a component hears that the process that runs it ends")
    func closing() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: ["/main.mjs": PlatformTests.command], scripts: ["main.mjs": Self.endless])
        let platform = apps.platform()
        let instance = try await platform.run(app, command: StartCommand("go"))
        await platform.close()
        let end = try await platform.transcript(of: instance.id).end
        #expect(end.text.contains("the alcove that ran it"))
    }

    @Test("who waits for the end of the process that runs the apps hears of it, even if the next one is there already")
    func untilGone() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let runtime = try apps.runtime()
        let client = try #require(AppRuntime.elsewhere(apps.library))
        await runtime.close()
        let next = try apps.runtime()
        #expect(next.platform != nil)
        await client.untilGone()

        let other = try #require(AppRuntime.elsewhere(apps.library))
        let waiting = Task { await other.untilGone() }
        waiting.cancel()
        await waiting.value
        #expect(try await other.control.ask(.status) == .status(running: []))
        await next.close()
    }

    private static let endless = "await new Promise(() => {});"

    @Test("only one process runs the apps")
    func oneProcess() async throws {
        let apps = try TestApps()
        defer { apps.remove() }
        let platform = apps.platform()
        let socket = apps.folder.path + "/door"
        let server = try AppControlServer(path: socket, to: platform)
        #expect(throws: AppFailure.self) { try AppControlServer(path: socket, to: platform) }
        await server.stop()
    }
}
