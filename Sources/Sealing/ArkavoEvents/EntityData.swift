public import Wire

extension Arkavo {
    /// One of the things that have a public name.
    public enum Entity: FlatBufferUnion, Hashable, Sendable {
        /// Somebody.
        case account(Account)
        /// A place where several talk.
        case stream(Stream)
        /// Something that was said.
        case thought(Thought)

        public init?(kind: UInt8) {
            switch kind {
            case 1: self = .account(Account())
            case 2: self = .stream(Stream())
            case 3: self = .thought(Thought())
            default: return nil
            }
        }

        public var kind: UInt8 {
            switch self {
            case .account: 1
            case .stream: 2
            case .thought: 3
            }
        }

        public mutating func visit(_ fields: inout FlatBufferFields) throws(WireError) {
            switch self {
            case .account(var account):
                try account.visit(&fields)
                self = .account(account)
            case .stream(var stream):
                try stream.visit(&fields)
                self = .stream(stream)
            case .thought(var thought):
                try thought.visit(&fields)
                self = .thought(thought)
            }
        }
    }
}
