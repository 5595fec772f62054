import AppCore
@_exported public import Errors

/// Why the simulator did not do what it was asked for.
package typealias SimulatorError = CodedError<SimulatorErrorCode>

/// The codes of ``SimulatorError``.
package enum SimulatorErrorCode: String, ErrorCode, CaseIterable {
    /// The line is not a request, or a parameter is missing or of the wrong kind.
    case badRequest = "bad_request"
    case unknownMethod = "unknown_method"
    case unknownNode = "unknown_node"
    case unknownScenario = "unknown_scenario"
    /// The node is there and cannot be used now.
    case disabledNode = "disabled_node"
    /// No finger gets to the node: it is hidden, covered or cut off.
    case unreachableNode = "unreachable_node"
    /// The node does not take this kind of input.
    case wrongInput = "wrong_input"
    case assertionFailed = "assertion_failed"
    case timeout
    /// A trace that cannot be read or played.
    case badTrace = "bad_trace"
    /// The core that is simulated cannot do this.
    case notSupported = "not_supported"
    /// The foreign core failed.
    case coreFailed = "core_failed"
}

extension SimulatorError {
    /// What went wrong with something that was read, without its content.
    init(_ code: Code, _ what: String, _ error: DecodingError) {
        self.init(code, "\(what): \(error.explanation)")
    }
}
