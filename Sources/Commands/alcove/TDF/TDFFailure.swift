import NanoTDF

extension CommandFailure {
    /// What a person can do about a NanoTDF that cannot be opened.
    init(_ error: NanoTDFError, _ name: String) {
        let place = error.offset.map { " (at byte \($0))" } ?? ""
        let (advice, code): (String, ExitCode) =
            switch error.code {
            case .wrongKey, .cannotOpen: ("give the private key it was sealed to", .noPermission)
            case .wrongBinding: ("--allow wrong-binding opens it all the same", .dataError)
            case .wrongSignature: ("--allow wrong-signature opens it all the same", .dataError)
            case .signedBeforeFlag: ("--allow early-signature opens it all the same", .dataError)
            case .altered, .truncated, .trailingBytes, .invalidField: ("alcove tdf inspect shows where", .dataError)
            case .badMagic: ("other containers are not read", .dataError)
            case .limitExceeded, .unsupported: ("", .dataError)
            case .libraryFailure: ("", .software)
            }
        self.init("\(name): \(error.message)\(place)\(advice.isEmpty ? "" : "; " + advice)", code)
    }
}
