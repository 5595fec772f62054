internal import Components
internal import Wire

/// Hears what a running component does, and brings it to where it belongs.
struct InstanceListener: Sendable {
    private let id: Instance.ID
    private let entryPoint: String
    private let isCommand: Bool
    private let app: RunningApp
    private let link: InstanceLink
    private let connection: ObjectConnection?
    private let transcript: Transcript
    private let functions: HostPorts
    private weak let platform: AppPlatform?

    init(_ instance: Instance, platform: AppPlatform, tree: [[String]: [String]]) {
        id = instance.id
        entryPoint = instance.entryPoint.text
        isCommand = instance.command != nil && instance.component.services.isEmpty
        app = instance.app
        link = instance.link
        connection = instance.connection
        transcript = instance.transcript
        self.platform = platform
        let (id, link) = (id, instance.link)
        functions = HostPorts(
            functions: [
                // The listing never changes while the component lives, so it is answered from what was listed at its start.
                "ipc_listCoreObjPath": .immediate { request throws(NativeError) in
                    guard let path = try? InitProto.ObjPathArgs(decoding: request).objPath else {
                        throw .text("no path")
                    }
                    return FnCallsProto.StringArrayValue(values: tree[path] ?? []).encoded
                },
                "ipc_disconnectFromCore": .promise { [weak platform] _ in
                    await platform?.closeSelf(id)
                    return []
                },
            ], limits: Self.limits
        ) { link.send($0) }
    }

    /// These functions take next to nothing.
    private static let limits = {
        var limits = FunctionCallLimits()
        limits.message = 64 << 10
        limits.calls = 16
        limits.arguments = 1 << 20
        return limits
    }()

    /// Called in order, one event at a time.
    func hear(_ component: any RunningComponent, _ event: ComponentEvent) {
        link.attach(component)
        switch event {
        case .message(let message) where message.port == PortMessage.coreIPC: connection?.receive(message.bytes)
        case .message(let message): _ = try? functions.receive(message)
        case .console(let level, let text): say(Self.levels[level] ?? .info, text)
        case .uncaught(let text):
            say(.error, "uncaught: \(text)")
            let (id, platform, isCommand) = (id, platform, isCommand)
            // Nothing would end a command that failed, and those who wait for it would wait for ever.
            Task { await isCommand ? platform?.closeSelf(id) : platform?.failed(id) }
        case .ended(let end):
            let (id, platform) = (id, platform)
            Task { await platform?.ended(id, end) }
        }
    }

    private static let levels: [String: AppLog.Entry.Level] = ["warn": .warning, "error": .error]

    private func say(_ level: AppLog.Entry.Level, _ text: String) {
        app.log.write(level, from: entryPoint, text)
        transcript.print(PrintedLine(level: level, text: text))
    }
}
