import Host

/// The end of a host process under a command that uses it.
enum HostEnd {
    /// How one goes on who has begun nothing that a command could go on with.
    static let again = "say the command again, and another one is started"

    /// - Parameter next: how the person goes on. A reason that says by itself what to do is left as it is.
    static func failure(_ reason: String, next: String = again) -> CommandFailure {
        CommandFailure(reason.contains(";") ? reason : "\(reason); \(next)", .unavailable)
    }

    static func failure(_ error: AttachError, next: String = again) -> CommandFailure {
        guard case .ended = error else { return CommandFailure("\(error)", .unavailable) }
        return failure("\(error)", next: next)
    }
}

extension ProfileHost {
    /// Why nothing more comes of it, and how the person goes on; nil while something may.
    func failure(next: String = HostEnd.again) async -> CommandFailure? {
        guard let reason = await ending else { return nil }
        return HostEnd.failure(reason, next: next)
    }
}
