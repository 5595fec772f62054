/// How the work of an app's services goes on in the background. One is chosen for each app.
package enum BackgroundStrategy: Hashable, Sendable, Codable {
    /// Services run while the host runs in the foreground, and stop with it.
    case foregroundOnly
    /// A push from outside starts the services.
    case wakeByPush
    /// The system starts the services every so often, and they end by themselves.
    case periodic(every: Duration)

    /// Whether this machine can do it.
    package enum Availability: Hashable, Sendable {
        case available
        /// It cannot, and this is why, and what to use instead.
        case unavailable(String)
    }

    /// The shortest time between two wakes. Systems batch wakes anyway.
    package static let shortestPeriod: Duration = .seconds(60)
    /// The time between two wakes if the person does not say otherwise.
    package static let usualPeriod: Duration = .seconds(1800)

    package var name: String {
        switch self {
        case .foregroundOnly: "foreground"
        case .wakeByPush: "push"
        case .periodic: "periodic"
        }
    }

    /// - Parameter scheduler: the system's scheduler of periodic work, nil where there is none.
    package func availability(scheduler: (any WakeScheduler)?) -> Availability {
        switch self {
        case .foregroundOnly:
            return .available
        case .wakeByPush:
            return .unavailable(
                "a push needs a push service that knows this machine, and there is none here; use `periodic`")
        case .periodic(let period):
            guard period >= Self.shortestPeriod else {
                return .unavailable("the period is shorter than a minute")
            }
            guard let scheduler else {
                return .unavailable("this system has no scheduler that alcove can use; use `foreground`")
            }
            return scheduler.availability
        }
    }
}

/// What the system offers to wake a program every so often: a timer of systemd on Linux, `BGProcessingTask` on Apple platforms.
package protocol WakeScheduler: Sendable {
    var availability: BackgroundStrategy.Availability { get }
    /// Has the app's services started every `period`, also after a restart of the machine.
    func schedule(app: String, every period: Duration) async throws(AppFailure)
    /// Whether that is so for an app.
    func isScheduled(app: String) -> Bool
    /// Ends that. An app that was never scheduled is not an error.
    func cancel(app: String) async throws(AppFailure)
}
