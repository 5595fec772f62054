import AppCore
import Host

/// `alcove notifications`: what the desktop tells of new messages.
struct NotificationsCommand: ReportingCommand {
    static let reference = CommandReference(
        "notifications", "[off|hidden|full]",
        "what the desktop tells of new messages: nothing, that there is one, or all",
        takes: .some(0...1, "[off|hidden|full]"), options: ProfileOptions.all,
        examples: ["alcove notifications", "alcove notifications off"])

    let arguments: Arguments
    /// What is to be told from now on; `nil` to only look.
    private let wanted: Settings.NotificationContent?

    init(arguments: Arguments) throws {
        self.arguments = arguments
        wanted = try arguments.operands.first.map { word throws(UsageError) in
            guard let content = Settings.NotificationContent(rawValue: word) else {
                throw UsageError("notifications are off, hidden or full, not \"\(word)\"")
            }
            return content
        }
    }

    func result() async throws -> CommandResult {
        try await ProfileOptions.attached(arguments) { host in
            if let wanted { await host.dispatch(.app(.setNotifications(content: wanted))) }
            let content = await host.read(\.settings.notificationContent)
            let meaning: TerminalText =
                switch content {
                case .off: "off: the desktop tells nothing of new messages"
                case .hidden: "hidden: the desktop tells that there is a new message, and not of whom"
                case .full: "full: the desktop shows the name and the first line of a new message"
                }
            return CommandResult(meaning, json: ["notifications": .string(content.rawValue)])
        }
    }
}
