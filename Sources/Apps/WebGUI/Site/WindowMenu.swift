internal import Wire

/// What the menu of a window shows, and does: what the app may do, what it said last, and its end.
package struct WindowMenu: Sendable {
    package struct Permission: Hashable, Sendable {
        /// The name of the capability.
        package var capability: String
        /// What it lets the app do, and what to know besides, in the person's language.
        package var title: String
        package var detail: String
        package var isGranted: Bool

        package init(capability: String, title: String, detail: String, isGranted: Bool) {
            (self.capability, self.title, self.detail, self.isGranted) = (capability, title, detail, isGranted)
        }
    }

    /// Something that the app said, or that was denied to it.
    package struct Line: Hashable, Sendable {
        /// Milliseconds since 1970.
        package var time: Int64
        /// `info`, `warning` or `error`.
        package var level: String
        package var text: String

        package init(time: Int64, level: String, text: String) {
            (self.time, self.level, self.text) = (time, level, text)
        }
    }

    package var permissions: @Sendable () async -> [Permission]
    /// The newest lines, the oldest first.
    package var lines: @Sendable () async -> [Line]
    /// Grants a capability to the app or takes it back, for all of it; false if that failed.
    package var setGrant: @Sendable (_ capability: String, _ isGranted: Bool) async -> Bool
    /// Ends all of the app.
    package var stop: @Sendable () async -> Void

    package init(
        permissions: @escaping @Sendable () async -> [Permission], lines: @escaping @Sendable () async -> [Line],
        setGrant: @escaping @Sendable (_ capability: String, _ isGranted: Bool) async -> Bool,
        stop: @escaping @Sendable () async -> Void
    ) {
        (self.permissions, self.lines, self.setGrant, self.stop) = (permissions, lines, setGrant, stop)
    }

    /// What the script of the window draws.
    func state() async -> String {
        let (permissions, lines) = (await permissions(), await lines())
        let state = JSONValue.object([
            "permissions": .array(
                permissions.map { permission in
                    .object([
                        "capability": .string(permission.capability), "title": .string(permission.title),
                        "detail": .string(permission.detail), "isGranted": .bool(permission.isGranted),
                    ])
                }),
            "lines": .array(
                lines.map { line in
                    .object([
                        "time": .number("\(line.time)"), "level": .string(line.level), "text": .string(line.text),
                    ])
                }),
        ])
        return state.text
    }
}
