internal import Components
internal import Wire

/// `w3n.shell.userNotifications`: short texts for the person. The programs that show them here cannot tell that one was clicked or closed, so
/// of what they would start only the form is checked, and it is not kept.
enum NotificationCapability {
    static func object(_ subject: CapabilitySubject) -> ServiceObject {
        let board = NotificationBoard()
        return ServiceObject(functions: [
            "addNotification": .immediateValues { arguments, _ throws(RuntimeException) in
                try subject.access.check(.notifications)
                let notification = try notification(arguments.argument(0, \.object))
                guard subject.app.allowances.takeNotification() else { throw exception("tooMany") }
                subject.app.log.write(.info, from: subject.entryPoint, "notifies: \(notification.text)")
                subject.platform.fan.tell(
                    .notified(app: subject.app.domain, name: subject.app.manifest.name, notification))
                return .json(.number(String(board.add())))
            },
            "removeNotification": .immediateValues { arguments, _ throws(RuntimeException) in
                try subject.access.check(.notifications)
                board.remove(try arguments.argument(0, \.integer))
                return nil
            },
            "watch": .observableValues { _, _, values async throws(RuntimeException) in
                try subject.access.check(.notifications)
                for await event in board.events() {
                    try subject.access.check(.notifications)
                    try await values.emit(.json(event.json))
                }
            },
        ])
    }

    private static func exception(_ flag: String) -> RuntimeException {
        RuntimeException(type: "user-notifications", flag: flag)
    }

    /// `{title?, body?, cmd?: {cmd, params?}, silent?}`
    private static func notification(_ options: JSONObject) throws(RuntimeException) -> AppNotification {
        let notification = AppNotification(title: try text("title", of: options), body: try text("body", of: options))
        guard notification.title.utf8.count <= AppNotification.titleLimit,
            notification.body.utf8.count <= AppNotification.bodyLimit
        else { throw exception("tooLong") }
        if let command = options["cmd"], command != .null, command.object?["cmd"]?.string == nil {
            throw RuntimeException(ipc: .invalidBody, ["message": "cmd has no name of a command"])
        }
        return notification
    }

    private static func text(_ name: String, of options: JSONObject) throws(RuntimeException) -> String {
        guard let value = options[name], value != .null else { return "" }
        guard let text = value.string else {
            throw RuntimeException(ipc: .invalidBody, ["message": .string("\(name) is no text")])
        }
        return text
    }
}

extension NotificationBoard.Event {
    fileprivate var json: JSONValue {
        ["type": .string(change.rawValue), "notificationId": .number(String(id))]
    }
}
