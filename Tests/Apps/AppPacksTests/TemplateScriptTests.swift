import AppPacks
import Components
import Foundation
import ProgramRunner
import ScriptEngine
import Testing

/// The script of a new app, as the component's context runs it, with stand-ins for its capabilities.
@Suite struct TemplateScriptTests {
    @Test(arguments: [
        ("undefined", "info Hello, world!"),
        ("{cmd: 'hello', params: ['Ada']}", "info Hello, Ada!"),
        ("{cmd: 'count', params: []}", "info You asked once."),
        ("{cmd: 'count', params: []}, {cmd: 'count', params: []}", "info You asked once.,info You asked 2 times."),
        ("{cmd: 'none', params: []}, {cmd: 'hello', params: []}", "error none failed,info Hello, world!"),
    ])
    func itsCommandsRun(commands: String, log: String) async throws {
        let template = try #require(AppTemplate(name: "Hello", domain: LibraryFixture.domain()))
        let script = try Program.inFolder { folder in
            try template.write(to: folder.path + "/hello")
            return try String(contentsOf: folder.appending(path: "hello/main.mjs"), encoding: .utf8)
        }
        let thread = try ScriptThread(name: "template")
        let component = try await ScriptedComponent(thread, capabilities: Self.capabilities(commands))
        try await component.run(script)
        #expect(try await component.text(of: "said.join()") == log)
        #expect(try await component.text(of: "String(closed)") == "true")
    }

    private static func capabilities(_ commands: String) -> String {
        """
        const commands = [\(commands)], files = {}, said = [];
        let closed = false;
        const w3n = {
            log: async (level, text) => { said.push(`${level} ${text}`); },
            closeSelf: async () => { closed = true; },
            shell: {
                getStartedCmd: async () => commands.shift(),
                watchStartCmds: (observer) => { for (const command of commands.splice(0)) { observer.next(command); } },
            },
            storage: {
                getAppLocalFS: async () => ({
                    checkFilePresence: async (path) => path in files,
                    readJSONFile: async (path) => JSON.parse(files[path]),
                    writeJSONFile: async (path, value) => { files[path] = JSON.stringify(value); },
                }),
            },
        };
        """
    }
}

private actor ScriptedComponent {
    private let thread: ScriptThread
    private let context: ScriptContext

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ thread: ScriptThread, capabilities: String) async throws {
        self.thread = thread
        context = try await thread.run {
            let context = try ScriptContext(on: thread, ScriptConfiguration())
            try context.evaluate(capabilities)
            return context
        }
    }

    func run(_ script: String) async throws {
        _ = try await context.evaluate("(async () => {\n\(script)\n})()", name: "/main.mjs").resolved()
    }

    func text(of expression: String) throws -> String? { try context.evaluate(expression).string }
}
