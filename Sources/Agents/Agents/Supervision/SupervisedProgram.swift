internal import AgentProtocols
package import Wire

/// What a supervisor starts: a program that speaks the Agent Client Protocol, with all that it gets.
package struct SupervisedProgram: Sendable, Hashable {
    package var program: AgentProgram
    package var tools: [ToolServer]
    /// The session that it is to go on with; see ``AgentEvent/opened(thread:goesOn:)``.
    package var thread: String?
    /// Whether it is asked to tell again what it did when nobody heard it.
    package var retells: Bool

    package init(_ program: AgentProgram, tools: [ToolServer] = [], thread: String? = nil, retells: Bool = false) {
        (self.program, self.tools, self.thread, self.retells) = (program, tools, thread, retells)
    }

    /// The agent, not started yet.
    package var agent: any AgentProvider {
        ACPAgent(program, tools: tools, thread: thread, retells: retells)
    }

    /// As it goes to the supervisor: over the socket and not in its arguments, because its variables are keys.
    package var object: JSONObject {
        var object: JSONObject = [
            "command": .array(program.words.map { .string($0) }), "folder": .string(program.folder),
            "retells": .bool(retells),
            "tools": .array(
                tools.map { tool in
                    [
                        "name": .string(tool.name), "command": .string(tool.command),
                        "arguments": .array(tool.arguments.map { .string($0) }),
                    ]
                }),
        ]
        if let thread { object.append("thread", .string(thread)) }
        if let variables = program.variables {
            var values = JSONObject()
            for (name, value) in variables.values.sorted(by: { $0.key < $1.key }) {
                values.append(name, .string(value))
            }
            object.append("variables", .object(values))
        }
        if let wall = program.sandbox {
            object.append(
                "sandbox",
                [
                    "network": .bool(wall.network), "read_only": .bool(wall.isReadOnly),
                    "readable": .array(wall.readable.map { .string($0) }),
                ])
        }
        return object
    }

    /// Nil if it names no program.
    package init?(_ object: JSONObject) {
        let words = object.array("command").compactMap(\.string)
        guard !words.isEmpty, let folder = object.string("folder") else { return nil }
        let variables = object["variables"]?.object.map { values in
            AgentVariables(
                values: Dictionary(values.members.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { $1 }))
        }
        let wall = object["sandbox"]?.object.map { wall in
            AgentWall(
                network: wall["network"] == true, readable: wall.array("readable").compactMap(\.string),
                isReadOnly: wall["read_only"] == true)
        }
        // A sandbox that cannot be read must not become none.
        guard wall != nil || !object.has("sandbox") else { return nil }
        self.init(
            AgentProgram(words, folder: folder, variables: variables, sandbox: wall),
            tools: object.array("tools").compactMap { tool in
                guard let tool = tool.object, let name = tool.string("name"), let command = tool.string("command")
                else { return nil }
                return ToolServer(
                    name: name, command: command, arguments: tool.array("arguments").compactMap(\.string))
            }, thread: object.string("thread"), retells: object["retells"] == true)
    }
}
