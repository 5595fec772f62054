import AgentProtocols
import Testing
import Wire

@testable import Agents

/// What a person sees of the content of a call before they allow it, and what counts as not shown.
@Suite struct ShownContentTests {
    private static let contents: [(content: JSONValue, shown: AgentToolCall.Result)] = [
        (
            ["type": "resource_link", "uri": "file:///etc/shadow", "name": "notes.txt"],
            .text("[notes.txt] file:///etc/shadow")
        ),
        (["type": "resource", "resource": ["uri": "file:///a", "text": "t"]], .text("[file:///a]\nt")),
        (["type": "resource", "resource": ["uri": "file:///a", "blob": "AA=="]], .other("file:///a")),
        (["type": "image", "mimeType": "image/png", "data": "AA=="], .other("image/png")),
        (["type": "audio", "mimeType": "audio/ogg", "data": "AA=="], .other("audio/ogg")),
        (["type": "hologram"], .other("hologram")),
        (["type": "text", "text": "t"], .text("t")),
    ]

    @Test(arguments: contents) func `places are told, and what is not shown is called so`(
        content: JSONValue, shown: AgentToolCall.Result
    ) throws {
        let call: JSONValue = ["toolCallId": "t", "content": [["type": "content", "content": content]]]
        let options: JSONValue = [["optionId": "yes", "name": "Yes", "kind": "allow_once"]]
        let request = try ACPPermissionRequest(["sessionId": "s", "options": options, "toolCall": call])
        #expect(AgentPermission(id: .init(number: 1), request).toolCall.results == [shown])
    }
}
