import AppCore

extension ViewNode {
    /// The tree as text: a line for each node, indented by its level, as in
    /// `  chat.send [Button] "Send" {tap} not enabled`.
    package var outline: String {
        var text = ""
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int) {
        text += String(repeating: "  ", count: indent) + line + "\n"
        for child in children { child.write(to: &text, indent: indent + 1) }
    }

    private var line: String {
        var parts = [Self.plain(id), "[\(Self.plain(roleName))]"]
        if !label.isEmpty { parts.append("\"\(Self.plain(label))\"") }
        if let value { parts.append("= \"\(Self.plain(value))\"") }
        if let detail { parts.append("(\(Self.plain(detail)))") }
        if let at { parts.append("at \(at.minuteText)") }
        if !actions.isEmpty { parts.append("{\(Self.plain(actions.joined(separator: ", ")))}") }
        let states = [
            (isVisible, "not visible"), (isEnabled, "not enabled"), (!isFocused, "focused"), (!isSelected, "selected"),
            (!isBusy, "busy"),
        ]
        let words = states.filter { !$0.0 }.map(\.1)
        if !words.isEmpty { parts.append(words.joined(separator: ", ")) }
        return parts.joined(separator: " ")
    }

    /// `TextField` for `text_field`, as the earlier simulator wrote roles.
    private var roleName: String {
        role.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// One line without anything that a terminal would obey.
    private static func plain(_ text: String) -> String {
        PlainText.of(text).split(whereSeparator: \.isNewline).joined(separator: "⏎")
    }
}
