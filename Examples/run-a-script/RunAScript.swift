import Foundation
import ScriptEngine

/// Runs a script: `swift run run-a-script FILE`, or one of its own without a file.
@main
enum RunAScript {
    static func main() async throws {
        let interpreter = try await Interpreter()
        if let path = CommandLine.arguments.dropFirst().first {
            try await print(interpreter.run(String(contentsOfFile: path, encoding: .utf8), name: path))
        } else {
            try await print(interpreter.run(script, name: "example.js"))
        }
    }

    private static let script = """
        console.log("There are %d seconds in a day.", multiply(24, 3600));
        const later = new Promise((done) => setTimeout(done, 10, "a moment later"));
        (async () => [await later, await readFile("/etc/hostname")])()
        """
}

/// An actor that lives on the thread of its scripts, and so can use them like any other value.
actor Interpreter {
    private let thread: ScriptThread
    private let context: ScriptContext

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() async throws {
        var configuration = ScriptConfiguration()
        configuration.console = { line in print("\(line.level): \(line.text)") }
        configuration.uncaught = { error in print("nobody caught \(error)") }
        let thread = try ScriptThread(name: "interpreter")
        self.thread = thread
        context = try await thread.run { [configuration] in try ScriptContext(on: thread, configuration) }
    }

    /// The value of the script, or what its promise becomes.
    func run(_ source: String, name: String) async throws -> ScriptData {
        try context.setFunction("multiply") { arguments in try arguments.number(0) * arguments.number(1) }
        try context.setAsyncFunction("readFile") { arguments in
            guard case .string(let path)? = arguments.first else { throw CocoaError(.fileReadInvalidFileName) }
            return .string(try String(contentsOfFile: path, encoding: .utf8))
        }
        return try await context.evaluate(source, name: name).resolved().data
    }
}
