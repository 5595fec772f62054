package import Wire

/// Something that a client may have done, as `tools/list` describes it.
package struct MCPTool: Sendable, Hashable {
    package var name: String
    /// For a person.
    package var title: String
    /// For a model: what it does, and what comes back.
    package var description: String
    /// A JSON schema of the arguments.
    package var schema: JSONObject
    package var effect: Effect

    /// What a call can change.
    package enum Effect: Sendable, Hashable {
        case reads
        /// It adds, and takes nothing away.
        case adds
        /// Whatever a program of somebody else does.
        case anything
    }

    package init(
        _ name: String, title: String, description: String, arguments: [Argument] = [], effect: Effect
    ) {
        (self.name, self.title, self.description, self.effect) = (name, title, description, effect)
        schema = Argument.schema(of: arguments)
    }

    /// As it stands in the list.
    package var json: JSONValue {
        let hints: JSONValue = [
            "title": .string(title), "readOnlyHint": .bool(effect == .reads),
            "destructiveHint": .bool(effect == .anything), "idempotentHint": .bool(effect == .reads),
            "openWorldHint": .bool(effect == .anything),
        ]
        return [
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": .object(schema), "annotations": hints,
        ]
    }
}

extension MCPTool {
    /// One argument of a tool.
    package struct Argument: Sendable {
        package enum Kind: Sendable {
            case text
            case number(ClosedRange<Int>)
            case texts(atMost: Int)
        }

        let name: String
        let kind: Kind
        let description: String
        let isNeeded: Bool

        /// A text.
        package init(_ name: String, _ description: String, isNeeded: Bool = true) {
            self.init(name, .text, description, isNeeded: isNeeded)
        }

        package init(_ name: String, _ kind: Kind, _ description: String, isNeeded: Bool = true) {
            (self.name, self.kind, self.description, self.isNeeded) = (name, kind, description, isNeeded)
        }

        private var schema: JSONValue {
            let description = JSONValue.string(description)
            return switch kind {
            case .text: ["type": "string", "description": description]
            case .number(let range):
                [
                    "type": "integer", "description": description, "minimum": .number(String(range.lowerBound)),
                    "maximum": .number(String(range.upperBound)),
                ]
            case .texts(let limit):
                [
                    "type": "array", "description": description, "items": ["type": "string"],
                    "maxItems": .number(String(limit)),
                ]
            }
        }

        static func schema(of arguments: [Argument]) -> JSONObject {
            var properties = JSONObject()
            for argument in arguments { properties.append(argument.name, argument.schema) }
            return [
                "type": "object", "properties": .object(properties),
                "required": .array(arguments.filter(\.isNeeded).map { .string($0.name) }),
                "additionalProperties": false,
            ]
        }
    }
}
