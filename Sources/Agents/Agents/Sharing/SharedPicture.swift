internal import AgentProtocols

/// Pictures of prompts on their way to the owner of an agent: in pieces, before the prompt that they go along with.
package enum SharedPicture {
    /// The frames that bring a picture.
    static func frames(
        _ picture: PromptPicture, session: String, turn: Int, place: Int
    ) -> [SharingFrame.Content] {
        var (frames, rest) = ([SharingFrame.Content](), Substring(picture.base64))
        repeat {
            let piece = rest.prefix(SharingLimits.picturePieceBytes)
            rest = rest.dropFirst(piece.count)
            frames.append(
                .picture(session: session, turn: turn, place: place, piece: String(piece), isLast: rest.isEmpty))
        } while !rest.isEmpty
        return frames
    }
}

/// The pictures that a member sent for prompts that have not come yet, of one connection. A plain value, in bounded memory.
package struct SharedPictures: Sendable {
    private var session = ""
    private var turn = 0
    private var whole: [PromptPicture] = []
    private var piece = ""
    private var bytes = 0
    /// Whether they are none, or too much.
    private var isSpoilt = false

    package init() {}

    /// Takes a piece. Those of one prompt come one after the other; another prompt begins anew.
    package mutating func take(session: String, turn: Int, place: Int, piece more: String, isLast: Bool) {
        if (session, turn) != (self.session, self.turn) || place == 0 && (!whole.isEmpty || isSpoilt) {
            self = SharedPictures()
            (self.session, self.turn) = (session, turn)
        }
        bytes += more.utf8.count
        isSpoilt =
            isSpoilt || place != whole.count || place >= SharingLimits.pictures
            || bytes > SharingLimits.pictureBytes / 3 * 4 + SharingLimits.pictures * 4
        guard !isSpoilt else { return piece = "" }
        piece += more
        guard isLast else { return }
        if let picture = PromptPicture(base64: piece) { whole.append(picture) } else { isSpoilt = true }
        piece = ""
    }

    /// The pictures of a prompt.
    /// - Returns: nil if they are not what was announced.
    package mutating func taken(session: String, turn: Int, count: Int) -> [PromptPicture]? {
        guard count > 0 else { return [] }
        defer { self = SharedPictures() }
        let isWhole = (session, turn, count) == (self.session, self.turn, whole.count) && piece.isEmpty && !isSpoilt
        return isWhole ? whole : nil
    }
}
