/// Why something with an app did not work. The text says what to do.
package struct AppFailure: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, Codable {
        case unknownApp = "unknown_app"
        case unknownComponent = "unknown_component"
        case unknownCommand = "unknown_command"
        case notGranted = "not_granted"
        case notAllowed = "not_allowed"
        case unavailable
        /// The process that runs the apps is about to end, and starts nothing any more.
        case closing
        case invalidPack = "invalid_pack"
        case cannotStart = "cannot_start"
        /// Components cannot be confined on this machine.
        case noSandbox = "no_wall"
        case timeout
        case file
    }

    package var code: Code
    package var explanation: String

    package init(_ code: Code, _ explanation: String) {
        self.code = code
        self.explanation = explanation
    }

    package var description: String { explanation }
}
