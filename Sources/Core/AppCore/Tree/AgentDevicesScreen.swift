extension Presentation {
    /// The devices that a gateway in front of the agents has let in, and the end of that for each.
    var agentDevicesScreen: SemanticNode { page("agent_devices", devicesContent(view.devices ?? ServedDeviceList())) }

    private func devicesContent(_ list: ServedDeviceList) -> [SemanticNode] {
        let retry = SemanticNode.button("agent_devices.retry", .agents(.retryDevices), isEnabled: list.effect == nil)
        let problem = list.failure.map { SemanticNode(.banner, "agent_devices.problem", Words($0)) }
        let begin = [problem].compactMap(\.self)
        guard let devices = list.devices else {
            return begin.isEmpty ? [SemanticNode(.status, "agent_devices.reading", isBusy: true)] : begin + [retry]
        }
        guard !devices.isEmpty else { return begin + [SemanticNode(.text, "agent_devices.none"), retry] }
        // Their names say of which answer they are: a client acts on what it was shown.
        let rows = devices.enumerated().map { place, device in
            item(device, "device.\(list.answer?.number ?? 0).\(place)", isBusy: list.effect != nil)
        }
        var known = SemanticNode(.list, "agent_devices.list", rows)
        known.detail = "agent_devices.about"
        return begin + [known, retry]
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
