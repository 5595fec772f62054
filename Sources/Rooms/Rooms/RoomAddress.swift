/// The address of a room: everything besides its keys that is needed to find it again.
package struct RoomAddress: Sendable, Equatable {
    /// The room's id on this machine.
    package var room: String
    package var role: LinkRole
    /// The rendezvous server, as `http(s)://host[:port]`.
    package var server: String
    /// This machine's id, used only in this room.
    package var device: String
    /// The six digits of the join code.
    package var digits: String?
    /// The room's id on the server, once both sides have joined.
    package var serverRoom: String?

    package init(
        room: String,
        role: LinkRole,
        server: String,
        device: String,
        digits: String? = nil,
        serverRoom: String? = nil
    ) {
        self.room = room
        self.role = role
        self.server = server
        self.device = device
        self.digits = digits
        self.serverRoom = serverRoom
    }
}
