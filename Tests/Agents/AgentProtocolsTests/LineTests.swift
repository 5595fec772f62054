import AgentProtocols
import Errors
import Testing
import Wire

@Suite struct LineTests {
    @Test(arguments: 1...9) func `lines do not depend on how they come`(size: Int) {
        let text = Array("one\r\n\ntwo\nlonger than ten\nthree\nrest".utf8)
        var splitter = LineSplitter(limit: 10)
        var lines: [LineSplitter.Line] = []
        for start in stride(from: 0, to: text.count, by: size) {
            lines += splitter.read(text[start..<min(start + size, text.count)])
        }
        #expect(
            lines == [
                .complete(Array("one".utf8)), .complete(Array("two".utf8)),
                .tooLong(beginning: Array("longer tha".utf8)), .complete(Array("three".utf8)),
            ])
        #expect(splitter.heldBytes == 4)
    }

    @Test func `a line without end takes no memory`() {
        var splitter = LineSplitter(limit: 1000)
        for _ in 0..<100 {
            #expect(splitter.read([UInt8](repeating: 65, count: 999)).isEmpty)
            #expect(splitter.heldBytes <= 1000)
        }
        #expect(
            splitter.read(Array("\nx\n".utf8))
                == [.tooLong(beginning: [UInt8](repeating: 65, count: 1000)), .complete(Array("x".utf8))])
        var long = LineSplitter(limit: 50_000)
        _ = long.read([UInt8](repeating: 65, count: 100_000))
        #expect(long.heldBytes == LineSplitter.beginningBytes)
    }

    @Test func `answers are tied to questions of the same spelling`() throws {
        func content(_ text: String) throws -> JSONRPCMessage.Content { try JSONRPCMessage(text.utf8).content }
        #expect(try content(#"{"jsonrpc":"2.0","id":1,"result":null}"#) == .result(.number("1"), nil))
        #expect(try content(#"{"jsonrpc":"2.0","id":"1","result":{}}"#) == .result(.string("1"), [:]))
        #expect(
            try content(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":1}}"#)
                == .failure(nil, .init(code: -32700, message: "m")))
        #expect(
            try content(#"{"jsonrpc":"2.0","method":"m"}"#) == .notification(method: "m", parameters: [:]))
    }

    private static let broken = [
        "", "{", "[]", "1", #"{"jsonrpc":"1.0","method":"m"}"#, #"{"method":"m"}"#, #"{"jsonrpc":"2.0"}"#,
        #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","id":null,"result":1}"#,
        #"{"jsonrpc":"2.0","id":[],"method":"m"}"#, #"{"jsonrpc":"2.0","id":null,"method":"m"}"#,
        #"{"jsonrpc":"2.0","method":"m","params":[1]}"#, #"{"jsonrpc":"2.0","method":"m","result":1}"#,
        #"{"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"m"}}"#,
        #"{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":"m"}}"#,
        #"{"jsonrpc":"2.0","method":"a","method":"b"}"#,
    ]

    @Test(arguments: broken) func `what is no message is refused`(text: String) {
        #expect(throws: AgentProtocolError.self) { try JSONRPCMessage(text.utf8) }
    }

    @Test func `depth and number of values are bounded before there are values`() {
        func code(_ text: String) -> AgentProtocolErrorCode? {
            do throws(AgentProtocolError) {
                _ = try BoundedJSON.object(Array(text.utf8))
                return nil
            } catch { return error.code }
        }
        let many = String(repeating: "0,", count: BoundedJSON.valueLimit) + "0"
        #expect(code(#"{"a":[\#(many)]}"#) == .tooMany)
        let commas = String(repeating: ",", count: BoundedJSON.valueLimit)
        #expect(code(#"{"a":"\"\#(commas)"}"#) == nil)
        let deep = String(repeating: "[", count: BoundedJSON.depthLimit)
        #expect(code(#"{"a":\#(deep)\#(String(repeating: "]", count: BoundedJSON.depthLimit))}"#) == .tooDeep)
    }
}
