import Agents
import Errors
import Foundation
import Networking
import Testing

/// Keys of model servers.
@Suite struct AgentKeyTests {
    @Test(arguments: ["sesame", " sesame\n", "\r\nsesame\r\n", "\tsesame"])
    func `blanks around a key do not belong to it`(text: String) { #expect(AgentKey(text)?.text == "sesame") }

    @Test(arguments: ["", "\n", "two words", "a\nb", "ü", "a\u{0}", String(repeating: "k", count: AgentKey.limit + 1)])
    func `what could end a header is no key`(text: String) { #expect(AgentKey(text) == nil) }

    @Test func `a key is not printed with what holds it`() throws {
        let key = try #require(AgentKey("sesame"))
        let configuration = CompletionsAgent.Configuration(server: ServerURL(host: "h", port: 1), key: key)
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!"\(key) \(configuration)".contains("sesame") && !dumped.contains("sesame"))
    }

    @Test func `a file that holds no key is named, and what is in it is not`() {
        #expect { try AgentKey(file: "/proc/version") } throws: { error in
            let error = error as? AgentError
            return error?.code == .unauthorized && error?.message.contains("/proc/version") == true
                && error?.message.contains("Linux") == false
        }
    }
}
