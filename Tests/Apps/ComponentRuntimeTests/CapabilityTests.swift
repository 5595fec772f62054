import ComponentRuntime
import ComponentSupport
import Components
import Testing

/// With our own preloads.
@Suite struct CapabilityTests {
    let log = Log()

    @Test(arguments: [[:], [["w3n"]: ["log"]]])
    func findsItsCapabilities(_ capabilities: [[String]: [String]]) async throws {
        var launch = ComponentLaunch.test("console.log(typeof _ports_, typeof w3n, Object.keys(w3n))")
        launch.capabilities = capabilities
        let log = log
        let component = try await InProcessSandbox().start(launch) { component, event in
            log.add(event)
            guard case .message(let message) = event, message.port == "ipc_listCoreObjPath",
                let request = try? FnCallsProto.RequestWithinCallIntoAndroid(decoding: message.bytes)
            else { return }
            let reply = FnCallsProto.ReplyWithinCall(
                id: request.id, res: FnCallsProto.StringArrayValue(values: ["log"]).encoded)
            component.send(PortMessage(port: message.port, bytes: reply.encoded))
        }
        #expect(await log.lines() == ["undefined object [\"log\"]"])
        #expect(log.events.messages.isEmpty == !capabilities.isEmpty)
        await component.stop()
    }
}
