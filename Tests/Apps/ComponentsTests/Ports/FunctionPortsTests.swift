import Components
import Synchronization
import Testing
import Wire

@Suite("Function calls over ports")
struct FunctionPortsTests {
    @Test("A script calls native functions, and each port counts its calls from 1")
    func nativeCalls() async throws {
        let pair = PortPair(functions: [
            "echo": .immediate { $0 },
            "later": .promise { arguments in
                await Task.yield()
                return arguments.reversed()
            },
        ])
        #expect(try await pair.script.call("echo", [1, 2]) == [1, 2])
        #expect(try await pair.script.call("later", [1, 2]) == [2, 1])
        #expect(try await pair.script.call("echo") == [])
        #expect(pair.sent(on: "echo", by: .script) == ["080112020102", "08021200"])
        #expect(pair.sent(on: "later", by: .script) == ["080112020102"])
        #expect(pair.sent(on: "echo", by: .host) == ["080112020102", "08021200"])
    }

    @Test("The host calls what the script has exposed, until it is hidden")
    func scriptCalls() async throws {
        let pair = PortPair()
        pair.script.expose(
            .promise { arguments in
                pair.script.expose(nil, as: "init")
                return arguments + [9]
            }, as: "init")
        #expect(try await pair.host.call("init", [1]) == [1, 9])
        await #expect(throws: NativeError.text("function init is not exposed")) { try await pair.host.call("init") }
        #expect(pair.sent(on: PortMessage.scriptFunctions, by: .host).first == "08011204696e69741a0101")
    }

    @Test(
        "Errors arrive as what they were",
        arguments: [
            NativeError.text("no such port"),
            .exception(RuntimeException(type: "file", ["code": "ENOENT", "path": ""])),
            .text(#"{"type":"file"}"#),
        ])
    func errors(error: NativeError) async {
        let pair = PortPair(functions: [
            "fails": .immediate { _ throws(NativeError) in throw error },
            "failsLater": .promise { _ throws(NativeError) in throw error },
        ])
        await #expect(throws: error) { try await pair.script.call("fails") }
        await #expect(throws: error) { try await pair.script.call("failsLater") }
    }

    @Test("The golden error of a file port")
    func goldenError() async {
        let exception = RuntimeException(type: "file", ["code": "ENOENT", "path": ""])
        let pair = PortPair(functions: ["fs_stat": .immediate { _ throws(NativeError) in throw .exception(exception) }])
        _ = try? await pair.script.call("fs_stat")
        _ = try? await pair.script.call("fs_stat")
        #expect(
            pair.sent(on: "fs_stat", by: .host).last
                == "080212001a417b2272756e74696d65457863657074696f6e223a747275652c2274797065223a2266696c65222c22636f6465"
                + "223a22454e4f454e54222c2270617468223a22227d")
    }
}
