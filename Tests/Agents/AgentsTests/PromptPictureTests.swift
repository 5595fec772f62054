import AgentProtocols
import Errors
import Foundation
import Networking
import Peers
import Synchronization
import Testing
import Wire

@testable import Agents

/// Small pictures.
enum Pictures {
    /// One pixel.
    static let base64 =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    static let png = Data(base64Encoded: base64).map(Array.init) ?? []

    /// One of so many bytes, as far as its beginning says.
    static func gif(_ bytes: Int) -> [UInt8] { Array("GIF89a".utf8) + [UInt8](repeating: 0, count: bytes - 6) }
}

/// Pictures that go along with prompts, by every way to an agent.
@Suite(.timeLimit(.minutes(5))) struct PromptPictureTests {
    private static func prompt(_ text: String, _ pictures: [UInt8]...) throws -> AgentPrompt {
        AgentPrompt(text, pictures: try pictures.map { try #require(PromptPicture($0)) })
    }

    @Test func `what they are their bytes say`() throws {
        #expect(PromptPicture(Pictures.png)?.type == "image/png")
        #expect(PromptPicture([0xFF, 0xD8, 0xFF, 0xE0])?.type == "image/jpeg")
        #expect(PromptPicture(Array("GIF87a".utf8))?.type == "image/gif")
        #expect(PromptPicture(Array("RIFF0000WEBPVP8 ".utf8))?.type == "image/webp")
        for none in ["", "<svg/>", "RIFF0000WAVE", "%PDF-1.7", "GIF", "\u{89}PNG"] {
            #expect(PromptPicture(Array(none.utf8)) == nil)
        }
        #expect(PromptPicture(base64: Pictures.base64)?.bytes == Pictures.png)
        #expect(PromptPicture(base64: "§§§") == nil)
        let many = AgentPrompt("x", pictures: Array(repeating: try #require(PromptPicture(Pictures.png)), count: 9))
        #expect(throws: AgentError.self) { try many.check() }
        #expect(throws: AgentError.self) { try Self.prompt("x", Pictures.gif(AgentLimits.pictureBytes + 1)).check() }
        try Self.prompt("x", Pictures.gif(AgentLimits.pictureBytes)).check()
    }

    @Test func `a program that takes them gets them`() async throws {
        try await Agent.acp("acp_agent.py", ["sees"]) { agent in
            #expect(await agent.seesPictures == nil)
            try await agent.start()
            #expect(await agent.seesPictures == true)
            try await agent.prompt(try Self.prompt("look", Pictures.png, Pictures.gif(AgentLimits.pictureBytes - 100)))
            let wanted = "image/png \(Pictures.png.count), image/gif \(AgentLimits.pictureBytes - 100)"
            #expect(await Agent.rest(of: agent).text == wanted)
        }
    }

    @Test func `one that takes none refuses clearly, and can be asked again`() async throws {
        try await Agent.acp("acp_agent.py") { agent in
            try await agent.start()
            #expect(await agent.seesPictures == false)
            await #expect { try await agent.prompt(try Self.prompt("look", Pictures.png)) } throws: {
                ($0 as? AgentError)?.code == .noPictures
            }
            #expect(try await Agent.turn(of: agent, "look").text == "nothing")
        }
    }

    @Test func `a gateway of ours hands them on, and refuses what is none`() async throws {
        try await ServedGateway.run([.say(.text("seen"))]) { gateway in
            let token = try await gateway.pair()
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                // As long as they may be together.
                let prompt = try Self.prompt("look", Pictures.png, Pictures.gif(AgentLimits.pictureBytes - 100))
                try await agent.prompt(prompt)
                #expect(await Agent.rest(of: agent).text == "seen")
                #expect(gateway.first?.pictures == [prompt.pictures])
            }
            let socket = try await gateway.socket(token.text)
            try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            let images = [
                #"[["image/png","AAAA"]]"#, #"[["image/png"]]"#, #"["x"]"#, #"[["image/png",7]]"#,
                "[" + Array(repeating: #"["image/png","\#(Pictures.base64)"]"#, count: 9).joined(separator: ",") + "]",
            ]
            for (number, image) in images.enumerated() {
                try socket.send(#"{"type":"message","id":\#(number + 2),"content":"look","images":\#(image)}"#)
                #expect(try await socket.events(upTo: .error).last?.object.count("id") == number + 2)
            }
            socket.close()
            #expect(gateway.count == 2)
        }
    }

    @Test func `what a tool behind two gateways wants is given by the one who asked`() async throws {
        try await ServedGateway.run([.want(.secret)]) { gateway in
            let token = try await gateway.pair()
            try await Agent.run(gateway.agent(token)) { agent in
                try await agent.start()
                try await agent.prompt("go")
                var asked: AgentPermission?
                while asked == nil, let event = await agent.events.next() {
                    if case .permission(let permission) = event { asked = permission }
                }
                let request = try #require(asked)
                #expect(request.input == .secret && request.toolCall.results == [.text("Password:")])
                try await agent.give(request.id, "sesame")
                #expect(await Agent.rest(of: agent).text == "got 6 letters")
                // Nothing of it stands in what is told of the session later.
                let socket = try await gateway.socket(token.text)
                try socket.send(
                    #"{"type":"subscribe","id":1,"working_dir":"/","target_session_id":"none"}"#)
                socket.close()
                #expect(!gateway.reports.contains { "\($0)".contains("sesame") })
            }
        }
    }

    // MARK: Over a link

    @Test func `they come in pieces before their prompt, in bounded memory`() throws {
        let picture = try #require(PromptPicture(Pictures.gif(1_000_000)))
        var member = MemberSession(session: "s", agent: "a", heard: 0)
        _ = member.linked()
        _ = member.receive(.state(session: "s", first: 1, last: 0, turn: 0))
        let outputs = member.prompt(AgentPrompt("look", pictures: [picture, picture], turn: 3))
        var pictures = SharedPictures()
        var taken: [PromptPicture]?
        for output in outputs {
            guard case .send(let content) = output else { continue }
            // As they go over the wire.
            let frame = SharingFrame(content)
            #expect(frame.bytes.count <= SharingLimits.frameBytes)
            switch try SharingFrame(frame.bytes).content {
            case .picture(let session, let turn, let place, let piece, let isLast):
                pictures.take(session: session, turn: turn, place: place, piece: piece, isLast: isLast)
            case .prompt(let session, let turn, "look", let count):
                taken = pictures.taken(session: session, turn: turn, count: count)
            default: Issue.record("\(content)")
            }
        }
        #expect(taken == [picture, picture])
        #expect(pictures.taken(session: "s", turn: 3, count: 2) == nil, "they are taken once")
    }

    @Test func `whatever else comes is no picture`() throws {
        var pictures = SharedPictures()
        func take(_ session: String, _ turn: Int, _ place: Int, _ piece: String, _ isLast: Bool = true) {
            pictures.take(session: session, turn: turn, place: place, piece: piece, isLast: isLast)
        }
        take("s", 1, 0, Pictures.base64)
        #expect(pictures.taken(session: "s", turn: 2, count: 1) == nil, "of another turn")
        take("s", 1, 0, Pictures.base64)
        #expect(pictures.taken(session: "t", turn: 1, count: 1) == nil, "of another session")
        take("s", 1, 1, Pictures.base64)
        #expect(pictures.taken(session: "s", turn: 1, count: 1) == nil, "the second without the first")
        take("s", 1, 0, "AAAA")
        #expect(pictures.taken(session: "s", turn: 1, count: 1) == nil, "none")
        take("s", 1, 0, Pictures.base64, false)
        #expect(pictures.taken(session: "s", turn: 1, count: 1) == nil, "half of one")
        for _ in 0..<100 { take("s", 1, 0, String(repeating: "A", count: SharingLimits.picturePieceBytes), false) }
        #expect(pictures.taken(session: "s", turn: 1, count: 1) == nil, "too much")
        take("s", 1, 0, Pictures.base64)
        #expect(pictures.taken(session: "s", turn: 1, count: 1)?.count == 1, "what follows is taken again")
    }

    @Test func `more than goes over a link is refused before anything is sent`() async throws {
        let sent = Sent()
        let agent = SharedAgent(session: "s", agent: "a", heard: 0, send: { sent.add($0) }, asked: { _ in }, ended: {})
        agent.linked()
        await #expect {
            try await agent.prompt(try Self.prompt("x", Pictures.gif(SharingLimits.pictureBytes + 1)))
        } throws: {
            ($0 as? AgentError)?.code == .tooLarge
        }
        #expect(sent.count == 1)
    }
}

private final class Sent: Sendable {
    private let all = Mutex(0)

    func add(_ frame: SharingFrame.Content) { all.withLock { $0 += 1 } }
    var count: Int { all.withLock { $0 } }
}
