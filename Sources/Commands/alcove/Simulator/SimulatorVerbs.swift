import AppCore

extension SimulatorVerb {
    private static let limit = Arguments.Option.value("limit", "N", "at most so many, the newest")
    private static let contains = Arguments.Option.value("contains", "TEXT", "a text that must occur in it")

    /// What the simulator can be asked with nothing but words. The rest has files of its own.
    static let all: [SimulatorVerb] = looking + touching + world + asserting

    private static let looking: [SimulatorVerb] = [
        SimulatorVerb("status", "what the simulator holds and where it listens") { _ in [:] },
        SimulatorVerb("state", "the whole state of the core") { _ in [:] },
        SimulatorVerb("scene", "rectangles and texts as they would be drawn") { _ in [:] },
        SimulatorVerb("preview-mesh", "the scene as triangles") { _ in [:] },
        SimulatorVerb("scenarios", "every situation that can be loaded, in a sentence each") { _ in [:] },
        SimulatorVerb("find-node", takes: ["NODE"], example: "find-node chat.send", "one node of the tree") { words in
            ["node_id": .string(words[0])]
        },
        SimulatorVerb("hit-test", takes: ["X", "Y"], example: "hit-test 195 800", "what lies under a point") { words in
            ["x": try words.number(0), "y": try words.number(1)]
        },
        SimulatorVerb("log", options: [limit], example: "log --limit 5", "what happened, with the states around it") {
            words in try words.given(numbers: ["limit"])
        },
    ]

    private static let touching: [SimulatorVerb] = [
        SimulatorVerb("tap", takes: ["NODE"], example: "tap rooms.create", "tap a node") { words in
            ["node_id": .string(words[0])]
        },
        SimulatorVerb("tap-at", takes: ["X", "Y"], example: "tap-at 195 800", "tap a point") { words in
            ["x": try words.number(0), "y": try words.number(1)]
        },
        SimulatorVerb(
            "type-text", takes: ["NODE", "TEXT"], example: "type-text chat.draft \"Hello\"", "type into a field"
        ) {
            words in ["node_id": .string(words[0]), "text": .string(words[1])]
        },
        SimulatorVerb(
            "set-text", takes: ["NODE", "TEXT"], example: "set-text create.name Ann", "replace a field's text"
        ) {
            words in ["node_id": .string(words[0]), "text": .string(words[1])]
        },
        SimulatorVerb(
            "keypress", takes: ["KEY"],
            options: [
                .value("node", "NODE", "where (default: where the focus is)"),
                .value("node-id", "NODE", "the same, as the earlier simulator called it"),
            ],
            example: "keypress Enter", "press a key: Enter, Escape, Backspace, Tab, or a character"
        ) { words in
            var parameters: [String: JSONValue] = ["key": .string(words[0])]
            if let node = words.arguments["node"] ?? words.arguments["node-id"] {
                parameters["node_id"] = .string(node)
            }
            return parameters
        },
        SimulatorVerb("scroll", takes: ["NODE", "DELTA"], example: "scroll chat.messages -200", "scroll a list") {
            words in
            ["node_id": .string(words[0]), "delta_y": try words.number(1)]
        },
        SimulatorVerb("gesture", takes: ["TYPE"], example: "gesture swipe", "acknowledge a gesture") { words in
            ["type": .string(words[0])]
        },
        SimulatorVerb(
            "set-field", takes: ["FIELD", "VALUE"], example: "set-field host example.org",
            "set a field of a core of the"
                + " earlier kind: host, port, code, device_name, draft", method: "dispatch"
        ) { words in
            let name = words[0].replacing("pair.", with: "").replacing("chat.", with: "")
            let field = name == "code" ? "pair_code" : name
            guard ["host", "port", "pair_code", "device_name", "draft"].contains(field) else {
                throw UsageError("there is no field \"\(words[0])\"; there are: host, port, code, device_name, draft")
            }
            return ["action": .object(["type": .string("set_\(field)"), "value": .string(words[1])])]
        },
    ]

    private static let world: [SimulatorVerb] = [
        SimulatorVerb(
            "dispatch", takes: ["JSON"], example: "dispatch '{\"type\":\"back\"}'", "let an action or event happen"
        ) {
            words in ["action": try words.json(0)]
        },
        SimulatorVerb("dispatch-json", takes: ["JSON"], "the same as dispatch", method: "dispatch") { words in
            ["action": try words.json(0)]
        },
        SimulatorVerb(
            "peer", takes: ["JSON"], example: "peer '{\"do\":\"say\",\"text\":\"Hello\"}'",
            "have the other person do something"
        ) {
            words in
            guard let members = try words.json(0).object else { throw UsageError("peer takes a JSON object") }
            return members
        },
        SimulatorVerb(
            "microphone", takes: ["IS"], example: "microphone refused",
            "answer for the microphone of a view that records: works, asks, refused, absent, broken"
        ) { words in ["is": .string(words[0])] },
        SimulatorVerb(
            "inject-fault", takes: ["KIND"], options: [.value("message", "TEXT", "what the failure says in the log")],
            example: "inject-fault server_unreachable", "break the world: a kind of fault, or a rule as JSON"
        ) { words in
            if words[0].hasPrefix("{"), let rule = try words.json(0).object { return rule }
            return try words.given(texts: ["message"]).merging(["kind": .string(words[0])]) { _, new in new }
        },
        SimulatorVerb("advance", takes: ["MILLISECONDS"], example: "advance 60000", "let logical time pass") { words in
            ["ms": try words.number(0)]
        },
        SimulatorVerb(
            "wait",
            options: [
                .value("screen", "SCREEN", "until this screen is shown"), contains,
                .value("node-id", "NODE", "until this node is there"),
                .value("timeout-ms", "MS", "give up after this time (default 1000)"),
            ], example: "wait --contains Delivered", "wait until something is so"
        ) { words in try words.given(texts: ["screen", "contains", "node-id"], numbers: ["timeout-ms"]) },
        SimulatorVerb("reset", "begin again as on the first day") { _ in [:] },
        SimulatorVerb("shutdown", "end the simulator") { _ in [:] },
    ]

    private static let asserting: [SimulatorVerb] = [
        SimulatorVerb(
            "assert-screen", takes: ["SCREEN"], example: "assert-screen chat", "fail unless this screen is shown"
        ) {
            words in ["screen": .string(words[0])]
        },
        SimulatorVerb(
            "assert-text", takes: ["TEXT"], example: "assert-text Delivered", "fail unless the text is somewhere"
        ) {
            words in ["contains": .string(words[0])]
        },
        SimulatorVerb(
            "assert-node", takes: ["NODE"],
            options: [
                .value("visible", "true|false", "whether it is seen"),
                .value("enabled", "true|false", "whether it can be used"),
                .value("role", "ROLE", "its role"), .value("label", "TEXT", "its label"),
                .value("value", "TEXT", "its value"),
            ], example: "assert-node chat.send --enabled false", "fail unless a node is so"
        ) { words in
            try words.given(texts: ["role", "label", "value"], flags: ["visible", "enabled"])
                .merging(["node_id": .string(words[0])]) { _, new in new }
        },
        SimulatorVerb(
            "assert-hit", takes: ["X", "Y", "NODE"], example: "assert-hit 195 800 chat.send",
            "fail unless a point hits it"
        ) {
            words in ["x": try words.number(0), "y": try words.number(1), "node_id": .string(words[2])]
        },
        SimulatorVerb("assert-no-error", "fail if something went wrong on the screen") { _ in [:] },
        SimulatorVerb(
            "assert-transition", options: [.value("type", "TYPE", "the action's type"), contains],
            example: "assert-transition --type send_text", "fail unless an action happened"
        ) { words in try words.given(texts: ["type", "contains"]) },
        SimulatorVerb(
            "assert-effect", options: [.value("type", "TYPE", "the effect's type"), contains],
            example: "assert-effect --type deliver", "fail unless an effect was asked for"
        ) { words in try words.given(texts: ["type", "contains"]) },
    ]
}
