package import Components
internal import Synchronization

/// Runs a recorded component again, with the recording in place of the world.
package enum ComponentReplay {
    package enum Outcome: Hashable, Sendable {
        /// It sent the same, so many messages.
        case same(Int)
        /// The first message that is another: what was recorded, and what came this time, if anything did.
        case different(at: Int, recorded: PortMessage, replayed: PortMessage?)
    }

    /// Replays in this process, without timers or waiting. What the component sent beyond the recording, which may have been cut
    /// off, is not looked at; neither is when the garbage collector let go of objects.
    package static func run(
        _ recording: ComponentRecording,
        preloads: (ComponentLaunch.Kind) -> [PreloadScript] = PreloadScript.standard
    ) async throws(ComponentError) -> Outcome {
        let log = SentMessages()
        let component = try ComponentContext(recording.launch.withWiderLimits) { _, event in
            if case .message(let message) = event { log.add(message) }
        }
        // That it failed at once is in the recording, too: by what it did not send.
        _ = await withCheckedContinuation { continuation in
            component.begin(preloads(recording.launch.kind)) { continuation.resume(returning: $0) }
        }
        var waiting = 0
        for case .delivered(let message) in recording.entries {
            component.send(message)
            waiting += message.bytes.count + 256
            guard waiting > 1 << 16 else { continue }
            waiting = 0
            await component.settle()
        }
        await component.settle()
        await component.stop()
        return compare(recording.entries.sent, log.all)
    }

    private static func compare(_ recorded: [PortMessage], _ replayed: [PortMessage]) -> Outcome {
        for (index, message) in recorded.enumerated() {
            let other = index < replayed.count ? replayed[index] : nil
            guard message == other else { return .different(at: index, recorded: message, replayed: other) }
        }
        return .same(recorded.count)
    }
}

extension ComponentLaunch {
    /// What ended the component is not replayed, so that it does not end earlier where the engine is busier, or tidies up later.
    fileprivate var withWiderLimits: ComponentLaunch {
        var launch = self
        launch.limits.memory *= 4
        launch.limits.turn *= 4
        return launch
    }
}

extension [ComponentRecording.Entry] {
    /// What the component sent of its own accord.
    fileprivate var sent: [PortMessage] {
        compactMap { entry in
            guard case .sent(let message) = entry, !message.isDrop else { return nil }
            return message
        }
    }
}

extension PortMessage {
    /// Whether it says that an object is not needed any more, which the garbage collector finds out at any time.
    fileprivate var isDrop: Bool {
        (try? IpcProto.Envelope(decoding: bytes))?.headers?.msgType == "drop"
    }
}

private final class SentMessages: Sendable {
    private let messages = Mutex<[PortMessage]>([])

    var all: [PortMessage] { messages.withLock { $0 } }

    func add(_ message: PortMessage) {
        if !message.isDrop { messages.withLock { $0.append(message) } }
    }
}

extension ComponentContext {
    /// Returns when everything that was sent to it has been delivered.
    fileprivate func settle() async {
        await withCheckedContinuation { continuation in whenIdle { continuation.resume() } }
    }
}
