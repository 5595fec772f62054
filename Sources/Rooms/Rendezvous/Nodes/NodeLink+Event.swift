extension NodeLink {
    /// What this node has to know.
    enum Event: Sendable {
        case messages([NodeMessage], from: String)
        /// Somebody at another node sits opposite our socket.
        case opposite(room: String, name: String, RemotePeer)
        case died(Set<String>)
        /// Messages may have been lost, in both directions.
        case resync
    }
}
