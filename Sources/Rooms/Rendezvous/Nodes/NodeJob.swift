extension NodeLink {
    /// A piece of work of a link.
    enum Job {
        case request(SignalingRouter.NodeRequest)
        /// To one node, or to all.
        case tell(NodeOutbox.Addressee, NodeMessage)
        case beat(remote: Set<String>)

        /// Whether it carries what clients say, which may be long.
        var isMessage: Bool {
            switch self {
            case .request(.relay), .tell: true
            case .request, .beat: false
            }
        }

        var isBeat: Bool { if case .beat = self { true } else { false } }

        /// What is still to be done later if it failed: what nothing else mends when Redis is back.
        var owed: [Job] {
            switch self {
            case .request(.vacated): [self]
            case .tell(let node, let message): message.late.map { .tell(node, $0) }
            case .request, .beat: []
            }
        }
    }
}

extension NodeOutbox {
    /// What is still to be told later if it could not be sent.
    var owed: [NodeLink.Job] {
        envelopes.flatMap { envelope in
            envelope.messages.flatMap(\.late).map { .tell(envelope.to, $0) }
        }
    }
}
