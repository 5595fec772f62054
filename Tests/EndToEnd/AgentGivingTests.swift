import Foundation
import Peers
import Testing

/// What a person gives an agent besides words: pictures, and what its tools want.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AgentGivingTests {
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test func `pictures go along with a question`() async throws {
        let fixture = try await AgentTests.Fixture("acp_agent.py", ["sees"])
        let picture = fixture.folder + "/dot with a name ‹2›.png"
        try #require(Data(base64Encoded: Self.png)).write(to: URL(fileURLWithPath: picture))
        let asked = try await fixture.run(["agent", "ask", "helper", "--image", picture, "--image", picture, "look"])
        #expect(asked.code == 0 && asked.lines.last == "image/png 70, image/png 70", "\(asked.lines)")
        let none = try await fixture.run(["agent", "ask", "helper", "--image", "/etc/hostname", "look"])
        #expect(none.code == 66 && none.lines.joined().contains("/etc/hostname"), "\(none.lines)")
        let many = Array(repeating: ["--image", picture], count: 9).flatMap(\.self)
        #expect(try await fixture.run(["agent", "ask", "helper"] + many + ["look"]).code == 66)
        let chat = try fixture.start(["agent", "chat", "helper"])
        try await chat.expect("is ready")
        chat.type("/image \(picture)")
        try await chat.expect("It goes along with the next question.")
        chat.type("/image")
        try await chat.expect("No picture goes along.")
        chat.type("/image \(picture)")
        try await chat.expect("It goes along with the next question.")
        chat.type("look")
        try await chat.expect("[dot with a name ‹2›.png]")
        try await chat.expect("< image/png 70")
        chat.type("/quit")
        #expect(try await chat.exitCode() == 0)
        let blind = try await AgentTests.Fixture()
        let refused = try await blind.run(["agent", "ask", "helper", "--image", picture, "look"])
        #expect(refused.code == 1 && refused.lines.joined().contains("takes no pictures"), "\(refused.lines)")
    }

    @Test func `a password is typed unseen, goes to the tool, and is in no file`() async throws {
        let pipe = Pipe()
        let gateway = try ChildProcess(
            program: Programs.python(), arguments: [Programs.script("asking_gateway.py")],
            output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let port = pipe.firstLine()
        let fixture = try await AgentTests.Fixture()
        let paired = try await fixture.run([
            "agent", "pair", "desk", "--host", "127.0.0.1", "--port", port, "--code", "123456", "--plain",
        ])
        #expect(paired.code == 0, "\(paired.lines)")
        let password = "Sesam-öffne-dich-\(UInt32.random(in: 0 ... .max))"
        let terminal = try TerminalProcess(fixture.words(["agent", "chat", "desk", "--folder", "/"]))
        try await terminal.expect("is ready")
        try terminal.press("go\n")
        try await terminal.expect("[sudo] password for ada:")
        try terminal.press("/give 1\n")
        try await terminal.expect("It is kept nowhere")
        try terminal.press(password + "\n")
        try await terminal.expect("It took \(password.count) letters.")
        // Nor is it called back.
        try terminal.press("\u{1B}[A")
        try terminal.press("\u{15}/quit\n")
        #expect(await terminal.exitCode() == 0)
        #expect(!terminal.text.contains(password) && !terminal.text.contains("Sesam"))
        #expect(try fixture.onDisk().allSatisfy { $0.range(of: Data(password.utf8)) == nil })
        #expect(try await fixture.run(["agent", "sessions", "--json"]).code == 0)
        #expect(try await fixture.run(["host", "stop"]).code == 0)
        #expect(try fixture.onDisk().allSatisfy { $0.range(of: Data(password.utf8)) == nil })
        await gateway.ended(grace: .zero)
    }
}
