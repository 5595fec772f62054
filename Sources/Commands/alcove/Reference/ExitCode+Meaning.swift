extension ExitCode {
    /// When a command ends with it, for the manual.
    var meaning: String {
        switch self {
        case .success: "it is done"
        case .failure: "it could not be done, or a check did not hold"
        case .usage: "the command line cannot be understood"
        case .dataError: "what was given is damaged, forged or of another kind"
        case .noInput: "a file or folder is missing or cannot be read"
        case .unavailable: "a server, a program or the other side is not there"
        case .software: "an error in Alcove itself; please report it"
        case .cannotCreate: "a file or folder cannot be made"
        case .inputOutput: "reading or writing failed"
        case .temporaryFailure: "not now: try again later"
        case .noPermission: "it is not allowed, for example without the passphrase"
        case .configuration: "a setting is wrong"
        }
    }
}
