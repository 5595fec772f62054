import AgentProtocols
import Agents
import AppCore
import Foundation
import Testing

@testable import Host

/// The devices that use agents of a profile, as its views show them.
@Suite(.timeLimit(.minutes(2))) struct ServedDevicesTests {
    @Test func `one is let out by its id alone, and a list that is damaged says so`() async throws {
        let profile = ProfilePlace()
        let host = try await profile.start()
        let devices = GatewayDevices(folder: profile.file("Gateway"))
        let token = try #require(GatewayToken(String(repeating: "5a", count: 32)))
        for (id, name) in [("phone", "A phone"), ("tablet", "phone")] {
            #expect(try devices.add(id: id, name: name, token: token, now: 1))
        }
        await host.dispatch(.app(.navigate(to: Screen(.agentDevices))))
        let known = try await profile.expect("the devices") { $0.views.main.devices?.devices }
        #expect(known.map(\.id) == ["phone", "tablet"])
        // Somebody was quicker in a terminal, and another device is called like that one's id.
        #expect(try devices.revoke("phone").map(\.id) == ["phone"])
        await host.dispatch(.agents(.revokeDevice(device: "phone")))
        try await profile.expect("the rest") { $0.views.main.devices?.devices?.count == 1 ? true : nil }
        #expect(try devices.all().map(\.id) == ["tablet"])

        try Data("{".utf8).write(to: URL(fileURLWithPath: profile.file("Gateway/devices.json")))
        await host.dispatch(.agents(.revokeDevice(device: "tablet")))
        let failure = try await profile.expect("the reason") { $0.views.main.devices?.failure }
        #expect(failure.code == .devicesUnreadable)
        await profile.stop()
    }
}
