/// What another process of the same person may ask of the one that runs the apps: one JSON object a line.
package enum AppControlRequest: Sendable, Codable, Hashable {
    /// Runs an app, or a component or a command of it.
    case run(app: String, component: String?, command: String?, parameters: [String])
    /// Starts what an app, or every app, wants started with the system.
    case startup(app: String?)
    /// What a component printed since `from`, as soon as there is something, or it ended.
    case follow(instance: UInt64, from: Int)
    /// The address of a window that runs, for one browser.
    case entrance(instance: UInt64)
    /// Ends one component of an app, or without `instance` every one.
    case stop(app: String, instance: UInt64? = nil)
    /// The grants of an app were changed, or it was installed or removed just now.
    case grantsChanged(app: String)
    /// An app is about to be updated or removed: what runs of it ends.
    case packsChanged(app: String, because: StopReason? = nil)
    case status

    /// Whether something runs because of it.
    var starts: Bool {
        switch self {
        case .run, .startup: true
        default: false
        }
    }
}

/// The answer to a ``AppControlRequest``.
package enum AppControlReply: Sendable, Codable, Hashable {
    case done
    case started(instance: UInt64, entrypoint: String)
    case entrance(address: String)
    case printed(lines: [PrintedLine], next: Int, end: PrintedEnd?)
    case status(running: [RunningInstance])
    case startup(StartupOutcome)
    case failed(code: AppFailure.Code, explanation: String)
}

/// The outcome of starting the components that apps want started with the system.
package struct StartupOutcome: Sendable, Codable, Hashable {
    /// What runs of it.
    package var running: [RunningInstance] = []
    /// Why each of the others does not.
    package var failures: [AppFailure] = []
}

/// A line that a component printed.
package struct PrintedLine: Sendable, Codable, Hashable {
    package var level: AppLog.Entry.Level
    package var text: String
}

/// How a component that was followed ended.
package struct PrintedEnd: Sendable, Codable, Hashable {
    /// Whether it ended by itself, and as it should.
    package var isOrderly: Bool
    /// What happened, for a person; empty for an orderly end.
    package var text: String
}

/// Why a component is ended that would have gone on.
package enum StopReason: String, Sendable, Codable, Hashable {
    /// Somebody asked for it.
    case request
    /// Its app is replaced by another version.
    case update
    /// Its app is taken away.
    case removal
    /// The process that runs the apps ends.
    case closing

    var words: String {
        switch self {
        case .request: "was stopped from another terminal or window"
        case .update: "was ended because its app is being updated"
        case .removal: "was ended because its app is being removed"
        case .closing: "was ended with the alcove that ran it"
        }
    }
}

/// A component that runs.
package struct RunningInstance: Sendable, Codable, Hashable, Identifiable {
    package var id: UInt64
    package var app: String
    package var version: String
    /// The path of its code in the pack.
    package var entrypoint: String
    package var state: InstanceState
    /// Milliseconds since 1970.
    package var since: Int64
    /// Bytes that it holds.
    package var memory: Int
}

/// Where in its life a component is.
package enum InstanceState: Sendable, Codable, Hashable {
    case starting
    case running
    case stopping
    /// It crashed, and will be started again.
    case waiting(crashes: Int)
    case ended
}
