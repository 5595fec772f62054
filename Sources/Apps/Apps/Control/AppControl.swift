internal import Foundation
internal import Networking
internal import Storage

/// The way to the process that runs the apps of a profile: this one, or another one of the same person.
package protocol AppControl: Sendable {
    func ask(_ request: AppControlRequest) async throws(AppFailure) -> AppControlReply
}

/// Lets other processes of the same person in: a socket in the profile's folder of apps.
package final class AppControlServer: Sendable {
    private let server: LineServer

    /// - Parameter path: of the socket.
    /// - Throws: ``AppFailure`` if another process runs the apps already, or the socket cannot be made.
    package init(path: String, to control: any AppControl) throws(AppFailure) {
        server = LineServer(path: path) { line in
            let reply: AppControlReply
            do {
                let request = try JSONDecoder().decode(AppControlRequest.self, from: Data(line))
                reply = try await control.ask(request)
            } catch let failure as AppFailure {
                reply = .failed(code: failure.code, explanation: failure.explanation)
            } catch {
                reply = .failed(code: .unavailable, explanation: "this is another version of alcove; end the other one")
            }
            return (try? JSONEncoder().encode(reply)).map(Array.init) ?? []
        }
        do {
            try server.start()
        } catch {
            throw AppFailure(.unavailable, error.description)
        }
    }

    package func stop() async { await server.stop() }
}

/// The control socket of another process.
package struct RemoteAppControl: AppControl {
    /// How long the longest answer takes: starting a component that starts others.
    static let patience: Duration = .seconds(60)

    private let path: String
    /// A connection that is open as long as that process and this value are there.
    private let presence: LineClient

    /// - Parameter path: of the socket.
    /// - Returns: nil if no process runs apps there.
    package init?(path: String) {
        guard let presence = try? LineClient(path: path) else { return nil }
        self.path = path
        self.presence = presence
    }

    /// Returns when the process has ended that listened at the control socket first, or the task is cancelled. For one task at a time.
    func untilGone() async { await presence.untilClosed() }

    package func ask(_ request: AppControlRequest) async throws(AppFailure) -> AppControlReply {
        // A connection for each question, so that one that waits for lines holds up no other.
        guard let client = try? LineClient(path: path) else {
            // Nothing was asked, so a request to start something may go to the next one.
            throw AppFailure(request.starts ? .closing : .unavailable, Self.gone)
        }
        defer { client.close() }
        let reply: AppControlReply
        do {
            let line = try Array(JSONEncoder().encode(request))
            reply = try JSONDecoder().decode(
                AppControlReply.self, from: Data(try await client.ask(line, within: limit(request))))
        } catch let error as NetworkingError where error.code == .timedOut || Task.isCancelled {
            throw AppFailure(
                .timeout, "the process that runs the apps does not answer; end it and run the command again")
        } catch {
            throw AppFailure(.unavailable, Self.gone)
        }
        if case .failed(let code, let explanation) = reply { throw AppFailure(code, explanation) }
        return reply
    }

    private static let gone = "the process that runs the apps is gone; run the command again"

    private func limit(_ request: AppControlRequest) -> Duration {
        if case .follow = request { .seconds(24 * 3_600) } else { Self.patience }
    }
}
