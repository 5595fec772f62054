internal import AgentProtocols
internal import Wire

// What a person should hear of beside the answer: a line each, and a bounded number of them.

extension GatewaySession {
    /// Something that is no answer, and that a person should see.
    /// - Parameter isReason: whether it says why the turn fails, for which the last place is kept.
    mutating func remark(_ text: String, isReason: Bool = false) -> [Step] {
        guard remarks < AgentLimits.remarks - (isReason ? 0 : 1), !text.isEmpty else { return [] }
        remarks += 1
        return [.tell(.remark(AgentText(text, limit: AgentLimits.remarkBytes)))]
    }

    /// The same, once in a turn for each key. Some gateways tell how they work with each request to a model.
    mutating func remarkOnce(_ text: @autoclosure () -> String, of event: GatewayEvent, key: some Hashable) -> [Step] {
        let hash = key.hashValue
        let steps = mentioned.contains(hash) ? [] : remark(text())
        guard !steps.isEmpty else { return [.tell(.other(AgentText.name(event.type)))] }
        // No more of them than there are remarks.
        mentioned.insert(hash)
        return steps
    }

    /// Pictures that the agent made, or that a tool returned. They are not shown here, but a person should know that there are some.
    mutating func pictured(_ event: GatewayEvent) -> [Step] {
        let names = event.pictures
        let isOurs = event.kind != .sidePaneImages || event.string("session_id") == id
        guard isOurs, !names.isEmpty else { return [.tell(.other(AgentText.name(event.type)))] }
        let shown = names.prefix(Self.picturesNamed).joined(separator: ", ")
        let rest = names.count > Self.picturesNamed ? " and \(names.count - Self.picturesNamed) more" : ""
        return remarkOnce("\(names.count == 1 ? "picture" : "pictures"): \(shown)\(rest)", of: event, key: event.object)
    }

    /// Pictures of one event that are named; the others are counted.
    private static let picturesNamed = 8
}

extension GatewayEvent {
    /// What it says, and who does.
    var notificationText: String {
        let name = object.string("from_name") ?? ""
        return name.isEmpty ? string("message") : "\(name): \(string("message"))"
    }

    /// What the pictures in it are called, and of which kind they are. Those that a person sent along are none of the agent's.
    fileprivate var pictures: [String] {
        guard kind == .sidePaneImages else {
            let file = string("path").split(separator: "/").last.map(String.init) ?? ""
            return [Self.picture(file, string("output_format"))]
        }
        return object.array("images").compactMap(\.object).filter {
            $0["source"]?.object?.string("kind") != "user_input"
        }.map { Self.picture($0.string("label") ?? "", $0.string("media_type") ?? "") }
    }

    private static func picture(_ name: String, _ kind: String) -> String {
        let (name, kind) = (name.beginning(bytes: 100), kind.beginning(bytes: 20))
        if name.isEmpty { return kind.isEmpty ? "without a name" : kind }
        return kind.isEmpty ? name : "\(name) (\(kind))"
    }
}
