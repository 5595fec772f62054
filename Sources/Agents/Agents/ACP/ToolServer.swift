internal import Wire

/// A server of the Model Context Protocol that an agent may start for itself.
package struct ToolServer: Sendable, Hashable {
    package var name: String
    /// The path of a program.
    package var command: String
    package var arguments: [String]

    package init(name: String, command: String, arguments: [String]) {
        (self.name, self.command, self.arguments) = (name, command, arguments)
    }

    /// As it stands in `session/new`.
    var json: JSONValue {
        [
            "name": .string(name), "command": .string(command), "args": .array(arguments.map { .string($0) }),
            "env": [],
        ]
    }
}
