import AppCore
import Layout

/// Trees that the tests share.
enum Samples {
    /// A talk with so many messages, alternating.
    static func chat(_ count: Int, text: (Int) -> String = { "Message \($0)" }) -> ViewNode {
        let messages = (0..<count).map { number in
            ViewNode(
                "message", "message.\(number)", number % 2 == 0 ? "You" : "The other person", value: text(number),
                detail: number % 2 == 0 ? "Delivered" : nil, at: Timestamp(milliseconds: 1_700_000_000_000),
                side: number % 2 == 0 ? .own : .other)
        }
        return ViewNode(
            "screen", "chat", "Ann",
            [
                ViewNode("heading", "chat.title", "Ann"),
                ViewNode("button", "back", "Back", actions: ["tap"]),
                ViewNode("status", "chat.status", "Connected, verified"),
                ViewNode("list", "chat.messages", "Messages", messages),
                ViewNode(
                    "text_field", "chat.draft", "Message", value: "", isFocused: true,
                    actions: ["set_text", "type_text"]),
                ViewNode("button", "chat.send", "Send", isEnabled: false),
                ViewNode("button", "chat.attach", "Send a file", actions: ["attach"]),
                ViewNode("button", "chat.leave", "Leave", actions: ["tap"]),
            ])
    }

    static func screen(_ children: [ViewNode]) -> ViewNode { ViewNode("screen", "page", "Page", children) }

    /// Two rooms with all their buttons, and a notice.
    static let rooms = screen([
        ViewNode("heading", "rooms.title", "Rooms"),
        ViewNode("button", "rooms.create", "New room", actions: ["tap"]),
        ViewNode(
            "section", "notices", "Notices",
            [ViewNode("banner", "notice.1", "The server cannot be reached.", detail: "Ann", actions: ["tap"])]),
        ViewNode("section", "rooms.active", "Active", [room(1), room(2)]),
        ViewNode("toggle", "auto_lock", "Lock when Alcove is not in front", isSelected: true, actions: ["tap"]),
        ViewNode("choice", "expires.60", "1 minute", actions: ["tap"]),
        ViewNode("secret_field", "passphrase", "Passphrase", value: "•••", actions: ["set_secret"]),
        ViewNode("progress", "file", "photo.jpg", value: "37 %", progress: .init(done: 37, total: 100)),
    ])

    private static func room(_ number: Int) -> ViewNode {
        ViewNode(
            "item", "room.\(number)", "Room \(number)", detail: "Waiting for the other person to enter the code",
            at: Timestamp(milliseconds: 1_700_000_000_000), isBusy: number == 2, actions: ["tap"],
            [
                ViewNode("toggle", "room.\(number).pin", "Pin", actions: ["tap"]),
                ViewNode("button", "room.\(number).up", "Move up", isEnabled: false),
                ViewNode("button", "room.\(number).down", "Move down", actions: ["tap"]),
                ViewNode("button", "room.\(number).delete", "Delete", actions: ["tap"]),
            ])
    }
}
