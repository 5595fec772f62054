#if canImport(CGIO)
internal import CGIO
internal import Synchronization

/// A connection to the desktop's bus, and the notifications that were shown over it. Its calls wait for the desktop, but not long.
struct NotificationSession: ~Copyable {
    /// A notification, and who hears the answer if it asks something.
    struct Shown {
        let notification: DesktopNotification
        var accept: String?
        /// What the desktop calls the button. Its numbers begin anew when it does, and the button of another program may have a name that is common.
        var key: String?
        var answer: (@Sendable (Bool) -> Void)?

        init(_ notification: DesktopNotification) { self.notification = notification }

        init(_ question: DesktopQuestion, answer: @escaping @Sendable (Bool) -> Void) {
            notification = question.notification
            (accept, key, self.answer) = (question.accept, "accept-\(UInt64.random(in: 0 ... .max))", answer)
        }
    }

    private let connection: OpaquePointer
    private let shown: ShownNotifications
    private let filter: guint
    /// What the desktop's program can do: `body-markup`, `actions`.
    private var capabilities: Set<String>?

    /// Milliseconds that an answer may take.
    private static let patience: Int32 = 2000
    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    /// How long a question stands before it can be accepted: who was about to press something else has not read it.
    static let reading = Duration.milliseconds(600)

    /// - Parameter opened: hears the ids of the notifications that the person chooses, on a thread of GIO.
    init?(address: String, reading: Duration = Self.reading, opened: @escaping @Sendable (String) -> Void) {
        let flags = GDBusConnectionFlags(
            G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let connection = g_dbus_connection_new_for_address_sync(address, flags, nil, nil, nil) else { return nil }
        // Our process goes on when the desktop ends.
        g_dbus_connection_set_exit_on_close(connection, 0)
        self.connection = connection
        shown = ShownNotifications(reading: reading, opened: opened)
        filter = g_dbus_connection_add_filter(
            connection,
            { _, message, isIncoming, shown in
                if isIncoming != 0, let message, let shown {
                    Unmanaged<ShownNotifications>.fromOpaque(shown).takeUnretainedValue().hear(message)
                }
                return message
            }, Unmanaged.passRetained(shown).toOpaque(),
            { shown in if let shown { Unmanaged<ShownNotifications>.fromOpaque(shown).release() } })
        let rule = "type='signal',sender='\(Self.name)',interface='\(Self.name)',path='\(Self.path)'"
        let answer = g_dbus_connection_call_sync(
            connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
            alcove_text_argument(rule), nil, G_DBUS_CALL_FLAGS_NONE, Self.patience, nil, nil)
        if let answer { g_variant_unref(answer) }
    }

    deinit {
        g_dbus_connection_remove_filter(connection, filter)
        g_dbus_connection_close_sync(connection, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    var isClosed: Bool { g_dbus_connection_is_closed(connection) != 0 }

    /// - Returns: whether the desktop took it.
    mutating func show(_ wish: Shown) -> Bool {
        if capabilities == nil { capabilities = askForCapabilities() }
        guard let capabilities, wish.accept == nil || capabilities.isSuperset(of: ["actions", "body"]) else {
            return false
        }
        let notification = wish.notification
        let text = capabilities.contains("body-markup") ? notification.text.withoutMarkup : notification.text
        let arguments = alcove_notify_arguments(
            shown.number(of: notification.id) ?? 0, notification.title.withoutZeros, text.withoutZeros,
            capabilities.contains("actions") && wish.accept == nil ? "Open" : nil, wish.accept?.withoutZeros,
            wish.key)
        guard let answer = call("Notify", arguments) else {
            // It may be another program next time.
            self.capabilities = nil
            return false
        }
        defer { g_variant_unref(answer) }
        guard alcove_variant_is(answer, "(u)") != 0 else { return false }
        shown.set(answer.number(at: 0), of: wish)
        return true
    }

    /// - Returns: false if the desktop does not answer.
    func close(_ id: String) -> Bool {
        guard let number = shown.take(id) else { return true }
        guard let answer = call("CloseNotification", alcove_number_argument(number)) else { return false }
        g_variant_unref(answer)
        return true
    }

    /// Takes away what stands, as long as the desktop answers.
    func closeAll() { _ = shown.ids.allSatisfy { close($0) } }

    private func askForCapabilities() -> Set<String>? {
        guard let answer = call("GetCapabilities", nil) else { return nil }
        defer { g_variant_unref(answer) }
        guard alcove_variant_is(answer, "(as)") != 0, let list = g_variant_get_child_value(answer, 0) else { return [] }
        defer { g_variant_unref(list) }
        return Set((0..<min(g_variant_n_children(list), 64)).map { list.text(at: $0) })
    }

    /// - Returns: the answer; `nil` if none came in time, or an error.
    private func call(_ method: String, _ arguments: OpaquePointer?) -> OpaquePointer? {
        g_dbus_connection_call_sync(
            connection, Self.name, Self.path, Self.name, method, arguments, nil, G_DBUS_CALL_FLAGS_NONE, Self.patience,
            nil, nil)
    }
}

/// The desktop's numbers of the notifications that stand.
private final class ShownNotifications: Sendable {
    private struct One {
        let number: UInt32
        let key: String?
        let answer: (@Sendable (Bool) -> Void)?
        let since = ContinuousClock.now
    }

    private let all = Mutex<[String: One]>([:])
    private let reading: Duration
    private let opened: @Sendable (String) -> Void

    init(reading: Duration, opened: @escaping @Sendable (String) -> Void) {
        (self.reading, self.opened) = (reading, opened)
    }

    var ids: [String] { all.withLock { Array($0.keys) } }
    func number(of id: String) -> UInt32? { all.withLock { $0[id]?.number } }
    func set(_ number: UInt32, of wish: NotificationSession.Shown) {
        let one = One(number: number, key: wish.key, answer: wish.answer)
        all.withLock { $0.updateValue(one, forKey: wish.notification.id) }?.answer?(false)
    }
    /// What is taken away without an answer is not accepted.
    func take(_ id: String) -> UInt32? {
        let one = all.withLock { $0.removeValue(forKey: id) }
        one?.answer?(false)
        return one?.number
    }

    /// Hears what the desktop says, on a thread of GIO.
    func hear(_ message: OpaquePointer) {
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_SIGNAL,
            let interface = g_dbus_message_get_interface(message),
            String(cString: interface) == "org.freedesktop.Notifications",
            let member = g_dbus_message_get_member(message), let body = g_dbus_message_get_body(message)
        else { return }
        switch String(cString: member) {
        case "ActionInvoked":
            guard alcove_variant_is(body, "(us)") != 0, let id = id(of: body.number(at: 0)) else { return }
            let key = body.text(at: 1)
            if key == "default" { opened(id) }
            let asked = all.withLock { $0[id] }
            guard let asked, asked.key == key, .now - asked.since >= reading else { return }
            asked.answer?(true)
        case "NotificationClosed":
            guard alcove_variant_is(body, "(uu)") != 0, let id = id(of: body.number(at: 0)) else { return }
            _ = take(id)
        default: break
        }
    }

    private func id(of number: UInt32) -> String? {
        all.withLock { $0.first { $0.value.number == number }?.key }
    }
}

/// A `GVariant` that is known to be a container of enough values.
extension OpaquePointer {
    fileprivate func number(at index: UInt) -> UInt32 {
        guard let child = g_variant_get_child_value(self, index) else { return 0 }
        defer { g_variant_unref(child) }
        return g_variant_get_uint32(child)
    }

    fileprivate func text(at index: UInt) -> String {
        guard let child = g_variant_get_child_value(self, index) else { return "" }
        defer { g_variant_unref(child) }
        return g_variant_get_string(child, nil).map { String(cString: $0) } ?? ""
    }
}

extension String {
    /// The same text where `&`, `<` and `>` begin markup.
    fileprivate var withoutMarkup: String {
        var text = ""
        for character in unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }

    /// A text that C takes whole.
    fileprivate var withoutZeros: String { String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\0" })) }
}
#endif
