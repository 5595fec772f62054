/// What went wrong on the way to a server or to the other machine: each with the address and the next step.
extension Wording {
    static let noTickets =
        "This server is older than tickets: whoever learns of this room there can take a place in it or delete it, though not"
        + " read or say anything, and it cannot tell at once when the other person comes. A newer server can."

    static func pathSentence(for failure: Failure) -> String? {
        let place = failure.place ?? "the server's address"
        return serverSentence(for: failure.code, at: place) ?? certificateSentence(for: failure.code, at: place)
            ?? relaySentence(for: failure.code, at: failure.place)
    }

    private static func serverSentence(for code: Failure.Code, at place: String) -> String? {
        switch code {
        case .serverUnreachable:
            "No server answers at \(place). Check the address and the network, or start the server there: `alcove serve`."
        case .serverUnknown:
            "The name in \(place) has no address. Check how it is spelt, and whether this machine is on the network."
        case .serverForeign:
            "What answers at \(place) is no rendezvous server. Check the port and the path of the address."
        case .serverWithTLS:
            "What listens at \(place) breaks off without an answer in HTTP, as a server with TLS does. If it has TLS, write"
                + " https:// in place of http://."
        case .serverWithoutTLS:
            "No TLS could be agreed on with \(place), so nothing was said to it. Check the port. A server without TLS is"
                + " called http://, which is for a network that you trust."
        default: nil
        }
    }

    private static func certificateSentence(for code: Failure.Code, at place: String) -> String? {
        switch code {
        case .serverUntrusted:
            "The certificate of \(place) is not from an authority that this machine trusts, so nothing was said to it. If"
                + " the server is yours, name the file with its authority: --tls-ca FILE."
        case .serverMisnamed:
            "The certificate of \(place) is for another name, so nothing was said to it. Use the name that it was made for,"
                + " or give the server a certificate for this one."
        case .serverExpired:
            "The certificate of \(place) is not valid at this time, so nothing was said to it. Check this machine's clock; if"
                + " it is right, the server needs a new certificate."
        case .authoritiesUnreadable:
            "The authorities to check certificates against cannot be read from \(place). Check the path, and that the file"
                + " holds certificates in PEM."
        default: nil
        }
    }

    /// - Parameter place: the TURN servers, or the local addresses; nil if there are none.
    private static func relaySentence(for code: Failure.Code, at place: String?) -> String? {
        switch (code, place) {
        case (.noPath, nil):
            "No path to the other machine was found: a router or a firewall is in between. Name a TURN server, with"
                + " --ice-server or in the settings, or change the network. It is tried again."
        case (.noPath, let place?):
            "No path to the other machine was found, not even through \(place). Check that the other machine can reach it, or"
                + " change the network. It is tried again."
        case (.relayUnreachable, let place):
            "No path to the other machine was found, and \(place ?? "the TURN server") does not answer. Check its address"
                + " and its port, and whether the network lets them through. It is tried again."
        case (.relayRefused, let place):
            "No path to the other machine was found, and \(place ?? "the TURN server") answers but gives none. Check the"
                + " user name and the password. It is tried again."
        case (.addressUnusable, let place):
            "None of the local addresses to use (\(place ?? "--bind")) can be used. Check --bind and bindAddresses in"
                + " settings.json. It is tried again."
        default: nil
        }
    }
}
