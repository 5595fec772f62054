import AgentProtocols
import Errors
import Foundation
import Networking
import Peers
import Testing

@testable import Agents

/// Who is let in to a gateway of ours, and what it takes from those who are.
@Suite(.timeLimit(.minutes(5))) struct GatewayServerTests {
    private static let hello: [ScriptedAgent.Line] = [.say(.text("Hello ")), .say(.text("you."))]

    // MARK: Codes

    @Test func `a code counts once, for five minutes, and five attempts`() throws {
        let now = ContinuousClock.now
        let code = try #require(GatewayCode("123456"))
        var codes = GatewayCodes()
        func take(_ text: String, after seconds: Int = 0) -> Bool { codes.take(text, now: now + .seconds(seconds)) }
        #expect(!take("123456"), "none counts yet")
        codes.issue(code, now: now)
        #expect(take("123456", after: 299))
        #expect(!take("123456", after: 299), "once")
        codes.issue(code, now: now)
        #expect(!take("123456", after: 300), "too late")
        codes.issue(code, now: now)
        for wrong in ["", "000000", "1234567", "12345", "１２３４５６"] { #expect(!take(wrong)) }
        #expect(!take("123456"), "after five wrong ones")
        codes.issue(code, now: now)
        codes.issue(try #require(GatewayCode("654321")), now: now)
        #expect(!take("123456"), "a newer one replaces it")
        #expect(take("654321"))
    }

    @Test func `a device is let in by a code, once`() async throws {
        try await ServedGateway.run { gateway async throws in
            let code = gateway.server.issueCode()
            let body = #"{"code":"\#(code.digits)","device_id":"d","device_name":"n","apns_token":"x"}"#
            let answer = try await gateway.post("/pair", body)
            #expect(answer.status == 200)
            let token = try GatewayPairAnswer(answer.body).token
            #expect(try await gateway.post("/pair", body).status == 401)
            #expect(try await gateway.post("/pair", "{").status == 400)
            #expect(try await gateway.post("/elsewhere", "{}").status == 404)
            let file = try String(contentsOfFile: gateway.folder + "/Gateway/devices.json", encoding: .utf8)
            #expect(!file.contains(token.text) && file.contains("sha256:"))
            let attributes = try FileManager.default.attributesOfItem(atPath: gateway.folder + "/Gateway/devices.json")
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            // Again under the same id: what was there is replaced.
            _ = try await GatewayPairing.pair(
                with: gateway.url, trust: .system, code: gateway.server.issueCode(), deviceID: "d", deviceName: "n2")
            #expect(try gateway.devices.all().map(\.name) == ["n2"])
            await #expect(throws: NetworkingError.self) { try await gateway.socket(token.text) }
        }
    }

    @Test func `attempts are limited`() async throws {
        try await ServedGateway.run { gateway in
            let code = gateway.server.issueCode()
            var statuses: [Int] = []
            let wrong = #"{"code":"x","device_id":"d","device_name":"n"}"#
            let right = #"{"code":"\#(code.digits)","device_id":"d","device_name":"n"}"#
            // Where each attempt takes seconds, another one is allowed meanwhile: then it is tried again.
            var last = 200
            for _ in 0..<5 where last != 429 {
                repeat {
                    statuses.append(try await gateway.post("/pair", wrong).status)
                } while statuses.last == 401 && statuses.count < 200
                last = try await gateway.post("/pair", statuses.last == 429 ? right : wrong).status
                guard last != 200 else { return }
            }
            #expect(statuses.prefix(5).allSatisfy { $0 == 401 } && statuses.last == 429 && last == 429)
            #expect(try gateway.devices.all().isEmpty)
        }
    }

    @Test func `pages of browsers and foreign names are refused`() async throws {
        try await ServedGateway.run { gateway in
            let token = try await gateway.pair()
            let own = "http://127.0.0.1:\(gateway.port)"
            for (headers, status) in [
                (["origin": "http://evil.example"], 403), (["origin": "null"], 403), (["origin": own], 404), ([:], 404),
                (["origin": "http://127.0.0.1:1"], 403),
            ] as [(HTTPFields, Int)] {
                #expect(try await gateway.post("/elsewhere", "{}", headers: headers).status == status)
            }
            await #expect { try await gateway.socket(token.text, headers: ["origin": "http://evil.example"]) } throws: {
                ($0 as? NetworkingError)?.status == 403
            }
            // A name that somebody else makes point here.
            let answer = try await HTTPClient().send(
                HTTPRequest(path: "/health"), to: ServerURL(host: "localhost", port: gateway.port))
            #expect(answer.status == 200)
            let preflight = try await HTTPClient().send(HTTPRequest(method: "OPTIONS", path: "/pair"), to: gateway.url)
            #expect(preflight.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func `a token stands in the field for it, and nowhere else`() async throws {
        try await ServedGateway.run { gateway in
            let token = try await gateway.pair().text
            for (shown, target) in [
                (nil, "/ws"), (nil, "/ws?token=\(token)"), (token, "/ws?token=\(token)"), ("", "/ws"),
                (String(repeating: "0", count: 64), "/ws"),
            ] as [(String?, String)] {
                await #expect { try await gateway.socket(shown, target: target) } throws: {
                    ($0 as? NetworkingError)?.status == 401
                }
            }
            await #expect { try await gateway.socket(token, target: "/other") } throws: {
                ($0 as? NetworkingError)?.status == 404
            }
            let socket = try await gateway.socket(token)
            socket.close()
        }
    }

    @Test func `without TLS only this machine is served`() async throws {
        let devices = GatewayDevices(folder: NSTemporaryDirectory() + "none")
        for address in ["0.0.0.0", "::", "192.0.2.1"] {
            let server = GatewayServer(
                .init(address: address, port: 0, tls: nil, folder: "/", version: "1", devices: devices) { _ in
                    ScriptedAgent([], folder: "/")
                })
            await #expect { try await server.start() } throws: { ($0 as? NetworkingError)?.code == .notAllowed }
        }
    }

    @Test func `a damaged list of devices lets nobody in`() async throws {
        try await ServedGateway.run(Self.hello) { gateway in
            let token = try await gateway.pair().text
            let socket = try await gateway.socket(token)
            // Until then the gateway writes the file itself.
            try await ServedGateway.until { (try? gateway.devices.all().first?.lastSeen) != nil }
            try "{".write(toFile: gateway.folder + "/Gateway/devices.json", atomically: true, encoding: .utf8)
            #expect(await socket.closed() == 4401)
            await #expect(throws: NetworkingError.self) { try await gateway.socket(token) }
        }
    }

    // MARK: Requests

    @Test(
        arguments: [
            #"{"type":"message","id":1,"content":"hello"}"#, #"{"type":"subscribe","id":1}"#,
            #"{"type":"subscribe","id":1,"working_dir":"project"}"#, #"{"type":"subscribe","id":1,"working_dir":"/"}"#,
            #"{"type":"subscribe","id":1,"working_dir":"FOLDER/project/../Gateway"}"#,
            #"{"type":"subscribe","id":1,"working_dir":"FOLDER/projects"}"#,
            #"{"type":"subscribe","id":1,"working_dir":"FOLDER/project/missing"}"#,
            #"{"type":"subscribe","id":1,"working_dir":"FOLDER/project/link"}"#,
            #"{"type":"subscribe","id":1,"target_session_id":"gone"}"#,
        ])
    func `the first request has to name a folder that is served`(line: String) async throws {
        try await ServedGateway.run(Self.hello) { gateway in
            try FileManager.default.createSymbolicLink(
                atPath: gateway.folder + "/project/link", withDestinationPath: gateway.folder)
            let socket = try await gateway.socket(try await gateway.pair().text)
            try socket.send(line.replacing("FOLDER", with: gateway.folder))
            #expect(try await socket.events(upTo: nil).map(\.kind) == [.error])
            #expect(gateway.count == 0)
        }
    }

    private func subscribed(_ gateway: ServedGateway) async throws -> WebSocketConnection {
        let socket = try await gateway.socket(try await gateway.pair().text)
        try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
        #expect(try await socket.events(upTo: .session).map(\.kind) == [.ack, .session])
        return socket
    }

    @Test func `every request is acknowledged, known or not`() async throws {
        try await ServedGateway.run(Self.hello) { gateway in
            let socket = try await subscribed(gateway)
            // Those that begin a turn or a session are tested by themselves.
            let others: [GatewayRequestKind] = [.subscribe, .message, .softInterrupt, .clear]
            let requests = GatewayRequestKind.allCases.filter { !others.contains($0) }
            let members =
                #""content":"c","session_id":"s","message_index":1,"visible_messages":1,"model":"m","selection":{},"effort":"e","request_id":"r","input":"i""#
            for (number, kind) in requests.enumerated() {
                try socket.send(#"{"type":"\#(kind.rawValue)","id":\#(number + 10),\#(members)}"#)
            }
            try socket.send(#"{"type":"not_known","id":99}"# + "\n" + #"{"type":"message","id":100,"content":"hello"}"#)
            let events = try await socket.events(upTo: .done)
            let acknowledged = Set(events.filter { $0.kind == .ack }.compactMap(\.id))
            let all = Set(requests.indices.map { UInt64($0 + 10) } + [99, 100])
            let resume = UInt64(10 + (requests.firstIndex(of: .resumeSession) ?? 0))
            #expect(acknowledged == all)
            #expect(events.contains { $0.kind == .error && $0.id == resume }, "there is no such session")
            #expect(events.contains { $0.kind == .pong } && events.contains { $0.kind == .history })
            #expect(events.last?.id == 100)
            socket.close()
        }
    }

    @Test func `a second subscription, and another session, are acknowledged once, too`() async throws {
        try await ServedGateway.run { gateway in
            let socket = try await gateway.socket(try await gateway.pair().text)
            try socket.send(#"{"type":"subscribe","id":1,"working_dir":"\#(gateway.folder)/project"}"#)
            let session = try #require(try await socket.events(upTo: .session).last).string("session_id")
            let requests: [(line: String, last: GatewayEventKind)] = [
                (#"{"type":"subscribe","id":2,"working_dir":"\#(gateway.folder)/project"}"#, .error),
                (#"{"type":"resume_session","id":3,"session_id":"unknown"}"#, .error),
                (#"{"type":"resume_session","id":4,"session_id":"\#(session)"}"#, .history),
            ]
            for (place, request) in requests.enumerated() {
                try socket.send(request.line)
                let events = try await socket.events(upTo: request.last)
                #expect(events.first?.kind == .ack && events.last?.id == UInt64(place + 2))
                #expect(events.filter { $0.kind == .ack }.map(\.id) == [UInt64(place + 2)])
            }
            socket.close()
        }
    }

    @Test func `a message that comes twice is asked once, and another one meanwhile is refused`() async throws {
        try await ServedGateway.run([.say(.text("a")), .wait]) { gateway in
            let socket = try await subscribed(gateway)
            let message = #"{"type":"message","id":5,"content":"hello"}"#
            try socket.send(
                [message, message, #"{"type":"message","id":6,"content":"other"}"#].joined(separator: "\n"))
            let refused = try await socket.events(upTo: .error)
            #expect(refused.last?.id == 6 && refused.last?.string("message") == "Already processing a message")
            try await ServedGateway.until { gateway.first?.prompts == ["hello"] }
            gateway.first?.go()
            #expect(try await socket.events(upTo: .done).last?.id == 5)
            #expect(gateway.first?.prompts == ["hello"])
            socket.close()
        }
    }

    @Test func `what cannot be read is answered, and too much of it ends the connection`() async throws {
        try await ServedGateway.run(Self.hello) { gateway in
            let socket = try await subscribed(gateway)
            for _ in 0...GatewayServerLimits.unreadable { try socket.send("{not json") }
            let events = try await socket.events(upTo: nil)
            #expect(!events.isEmpty && events.allSatisfy { $0.kind == .error && $0.id == 0 })
        }
    }

    @Test func `too many requests end the connection`() async throws {
        try await ServedGateway.run(Self.hello) { gateway in
            let socket = try await subscribed(gateway)
            for number in 0..<400 { try? socket.send(#"{"type":"ping","id":\#(number + 10)}"#) }
            #expect(await socket.closed() == 1008)
        }
    }

    @Test func `a prompt is put in behind the turn, or taken back`() async throws {
        try await ServedGateway.run([.say(.text("a")), .wait]) { gateway in
            let socket = try await subscribed(gateway)
            try socket.send(#"{"type":"message","id":5,"content":"one"}"#)
            _ = try await socket.events(upTo: .textDelta)
            try socket.send(#"{"type":"soft_interrupt","id":6,"content":"two","urgent":false}"#)
            _ = try await socket.events(upTo: .ack)
            gateway.first?.go()
            let events = try await socket.events(upTo: .softInterruptInjected)
            #expect(!events.contains { $0.kind == .done } && events.last?.string("content") == "two")
            _ = try await socket.events(upTo: .textDelta)
            try socket.send(#"{"type":"soft_interrupt","id":7,"content":"three"}"#)
            try socket.send(#"{"type":"cancel_soft_interrupts","id":8}"#)
            while try await socket.events(upTo: .ack).last?.id != 8 {}
            gateway.first?.go()
            #expect(try await socket.events(upTo: .done).last?.id == 5)
            #expect(gateway.first?.prompts == ["one", "two"])
            socket.close()
        }
    }

    @Test func `what waits behind a turn that is stopped is not asked, and that is said`() async throws {
        let script: [ScriptedAgent.Line] = [.say(.remark("limited until noon")), .say(.text("a")), .wait]
        try await ServedGateway.run(script) { gateway in
            let socket = try await subscribed(gateway)
            try socket.send(#"{"type":"message","id":5,"content":"one"}"#)
            let told = try await socket.events(upTo: .textDelta).first { $0.kind == .notification }
            #expect(told?.string("message") == "limited until noon")
            try socket.send(#"{"type":"soft_interrupt","id":6,"content":"two","urgent":false}"#)
            try socket.send(#"{"type":"cancel","id":7}"#)
            let notice = try await socket.events(upTo: .notification).last
            #expect(notice?.string("message").hasSuffix("two") == true)
            #expect(gateway.first?.prompts == ["one"])
            socket.close()
        }
    }

    // MARK: Approvals

    @Test(arguments: [ServedChoice.once, .reject]) func `the owner of this machine is asked`(
        choice: ServedChoice
    ) async throws {
        var call = AgentToolCall(id: "t", title: "Remove it")
        call.input = "{}"
        try await ServedGateway.run([.ask(call)]) { gateway in
            let socket = try await subscribed(gateway)
            try socket.send(#"{"type":"message","id":5,"content":"go"}"#)
            #expect(try await socket.events(upTo: .statusDetail).last?.string("detail").isEmpty == false)
            // Whatever a client sends is no answer.
            for line in [#"{"type":"permission_response","id":6,"request_id":"1","allowed":true}"#] {
                try socket.send(line)
            }
            try await ServedGateway.until { gateway.reports.contains { if case .asks = $0 { true } else { false } } }
            for case .asks(let session, let request) in gateway.reports {
                #expect(request.call.title == "Remove it")
                #expect(await gateway.server.answer(session: session, request.id, choice))
                #expect(await !gateway.server.answer(session: session, request.id, .once), "it is answered once")
            }
            let text = try await socket.events(upTo: .done).filter { $0.kind == .textDelta }.map { $0.string("text") }
            #expect(text == [choice == .once ? "allow_once" : "reject_once"])
            socket.close()
        }
    }
}
