extension Presentation {
    /// The devices that a gateway in front of the agents has let in, and the end of that for each.
    var agentDevicesScreen: SemanticNode { page("agent_devices", devicesContent(view.devices ?? ServedDeviceList())) }

    private func devicesContent(_ list: ServedDeviceList) -> [SemanticNode] {
        var nodes: [SemanticNode] = []
        if let failure = list.failure {
            nodes += [
                SemanticNode(.banner, "agent_devices.problem", Words(failure)),
                .button("agent_devices.retry", .agents(.retryDevices)),
            ]
        }
        guard let devices = list.devices else {
            return nodes.isEmpty ? [SemanticNode(.status, "agent_devices.reading", isBusy: true)] : nodes
        }
        guard !devices.isEmpty else { return nodes + [SemanticNode(.text, "agent_devices.none")] }
        let rows = devices.enumerated().map { place, device in
            item(device, "device.\(place)", isBusy: list.effect != nil)
        }
        var known = SemanticNode(.list, "agent_devices.list", rows)
        known.detail = "agent_devices.about"
        return nodes + [known]
    }

    private func item(_ device: ServedDevice, _ id: String, isBusy: Bool) -> SemanticNode {
        let name = device.name.isEmpty ? device.id.withoutControls.limited(to: 64) : device.name
        let seen = device.lastSeen.map { Words.key("agent_devices.seen", ["time": .time($0)]) }
        return SemanticNode(
            .item, id, .said(name),
            detail: Words(listing: [
                .key("agent_devices.paired", ["time": .time(device.pairedAt)]), seen ?? "agent_devices.unseen",
            ]),
            [
                .button(
                    "\(id).revoke", .key("agent_devices.revoke", ["name": .said(name)]),
                    .agents(.revokeDevice(device: device.id)), isEnabled: !isBusy)
            ])
    }
}
