import Foundation
import Host
import Testing

/// `settings.json`: what is misspelt or cannot be used is named, and is never taken for something that is not set.
@Suite struct NetworkSettingsTests {
    private func read(_ text: String) throws -> NetworkSettings {
        let path = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString).json").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try NetworkSettings(path: path)
    }

    @Test(arguments: [
        (#"{"relayonly":true}"#, #""relayonly" means nothing here"#),
        (#"{"a":1,"b":2,"server":"http://x"}"#, #""a", "b" means nothing here"#),
        (#"{"iceServers":[{"urls":["stun:x"],"user":"ada"}]}"#, #""iceServers.user" means nothing here"#),
        (#"{"iceServers":[{"urls":"stun:x"}]}"#, "has the wrong type"),
        (#"{"iceServers":[{}]}"#, #""urls" is missing"#),
        (#"{"relayOnly":true,"iceServers":[{"urls":["stun:x"]}]}"#, "needs a TURN server"),
        (#"{"iceServers":[{"urls":["turn:x"]}]}"#, "needs a user name and a credential"),
        (
            #"{"iceServers":[{"urls":["turns:x"],"username":"a","credential":"b"}]}"#,
            "TLS to the server is not supported"
        ),
        (#"{"bindAddresses":["eth0"]}"#, #""eth0" is not an address"#),
        ("[]", "has the wrong type"), ("{", ""),
    ])
    func whatCannotBeUsedIsNamed(text: String, reason: String) throws {
        let error = #expect(throws: ProfileError.self) { try read(text) }
        #expect(reason.isEmpty || error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["turn:ada:hunter2@x:1", "turn:hunter2@x"]) func passwordsAreNotRepeated(url: String) throws {
        let text = "{\"iceServers\":[{\"urls\":[\"\(url)\"],\"username\":\"a\",\"credential\":\"b\"}]}"
        let error = #expect(throws: ProfileError.self) { try read(text) }
        #expect(error?.description.contains("hunter2") == false)
    }

    /// The rendezvous server may hand out relays.
    @Test func onlyRelaysWithoutServersOfOnesOwn() throws {
        #expect(try read(#"{"relayOnly":true}"#).relayOnly == true)
    }

    @Test func everythingThatCanBeSetIsTaken() throws {
        let settings = try read(
            #"""
            {"server": "https://rendezvous.example", "relayOnly": true, "bindAddresses": ["127.0.0.1"],
             "iceServers": [{"urls": ["stun:stun.example:3478"]},
                            {"urls": ["turn:turn.example:3478"], "username": "ada", "credential": "x"}]}
            """#)
        #expect(settings.relayOnly == true && settings.iceServers?.count == 2)
    }
}
