import Preloads
import ScriptEngine
import Testing

/// A component and its core, each in a context of its own, with bytes between them.
@Suite struct TwoContextsTests {
    @Test(arguments: [ScriptFeatures.standard, []])
    func aComponentAndItsCore(_ features: ScriptFeatures) async throws {
        let pair = try await Pair(features)
        try await pair.component(
            """
            globalThis.seen = [];
            (async () => {
                await _awaitPreloadInit();
                await w3n.log("info", "hello");
                globalThis.fs = await w3n.storage.getAppLocalFS();
                seen.push(fs.type, await fs.readTxtFile("x"));
                try { await fs.stat("x") } catch (error) { seen.push(error.type, error.callFnNotFound) }
            })().catch(error => seen.push(String(error)))
            """)
        try await pair.exchange()
        #expect(try await pair.component("JSON.stringify(seen)") == .string(#"["local","text","ipc",true]"#))
        #expect(try await pair.core("logged.join()") == .string("info,hello"))
    }

    @Test func whatTheComponentForgetsIsDropped() async throws {
        let pair = try await Pair(.standard)
        try await pair.component("w3n.storage.getAppLocalFS().then(fs => { globalThis.read = fs.readTxtFile }); 0")
        try await pair.exchange()
        // A function keeps the object that it belongs to.
        for _ in 0..<5 { try await pair.collectGarbage() }
        #expect(try await pair.core("isExposed()") == .bool(true))
        try await pair.component("globalThis.read = undefined")
        for _ in 0..<500 where try await pair.core("isExposed()") == .bool(true) {
            try await pair.collectGarbage()
            try await Task.sleep(for: .milliseconds(5))
            try await pair.exchange()
        }
        #expect(try await pair.core("isExposed()") == .bool(false))
    }
}

/// Two contexts that take turns on one thread.
private actor Pair {
    private let thread: ScriptThread
    private let contexts: (component: ScriptContext, core: ScriptContext)
    private var deliver: ScriptValue?
    private let toCore = Mailbox()
    private let toComponent = Mailbox()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ features: ScriptFeatures) async throws {
        let thread = try ScriptThread()
        self.thread = thread
        let (toCore, toComponent) = (toCore, toComponent)
        (contexts, deliver) = try await thread.run {
            let component = try Pair.context(on: thread, features)
            let core = try Pair.context(on: thread, [])
            try core.setFunction("say") { toComponent.add(try $0.bytes(0)) }
            try core.evaluate(coreSide)
            try component.setFunction("send") { toCore.add(try $0.bytes(1)) }
            try component.evaluate(
                """
                globalThis._ports_ = {
                    send, onMessage(take) { globalThis.deliver = bytes => take("core-ipc", bytes) },
                    capabilities: { w3n: ["log", "storage"], "w3n/storage": ["getAppLocalFS"] },
                }
                """)
            try component.evaluate(Preload.common, name: "common-preload.js")
            try component.evaluate(Preload.app, name: "app-preload.js")
            return ((component, core), try component.global.property("deliver"))
        }
    }

    private static func context(on thread: ScriptThread, _ features: ScriptFeatures) throws -> ScriptContext {
        var configuration = ScriptConfiguration()
        configuration.features = features
        return try ScriptContext(on: thread, configuration)
    }

    @discardableResult
    func component(_ source: String) throws -> ScriptData { try contexts.component.evaluate(source).data }

    func core(_ source: String) throws -> ScriptData { try contexts.core.evaluate(source).data }

    func collectGarbage() throws { try contexts.component.collectGarbage() }

    /// Carries bytes to and fro until both are quiet.
    func exchange() throws {
        let hear = try contexts.core.global.property("hear")
        while true {
            let (there, back) = (toCore.takeAll(), toComponent.takeAll())
            if there.isEmpty, back.isEmpty { return }
            for bytes in there { try hear.call(bytes) }
            for bytes in back { try deliver?.call(bytes) }
        }
    }
}
