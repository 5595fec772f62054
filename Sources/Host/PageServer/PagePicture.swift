import Host
import Networking

/// A picture of a note, `/notes/NOTE/media/PICTURE`, or one of a prompt, `/agents/pictures/PICTURE`.
struct PagePicture {
    private enum Place {
        case note(String)
        case prompt
    }

    private let place: Place
    private let id: String

    /// Nil for another path. What is no name of a note or a picture names none.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (parts.count, parts.dropFirst().first) {
        case (5, "notes") where parts[0].isEmpty && parts[3] == "media": (place, id) = (.note(parts[2]), parts[4])
        case (4, "agents") where parts[0].isEmpty && parts[2] == "pictures": (place, id) = (.prompt, parts[3])
        default: return nil
        }
    }

    /// The bytes, as a picture and nothing else: a drawing (SVG) that is opened by itself runs nothing and loads nothing.
    /// - Parameter isSaved: whether the browser keeps it in a file.
    func response(from attach: AttachServer, isSaved: Bool) async -> HTTPResponse {
        var headers = PagePolicy.fields
        let found: (type: String, bytes: [UInt8])?
        switch place {
        case .note(let note):
            found = await attach.picture(id, of: note)
            // The same id has the same bytes for ever.
            headers["cache-control"] = "private, max-age=86400, immutable"
        // It goes with its session, so the browser keeps no copy.
        case .prompt: found = await attach.promptPicture(id)
        }
        guard let picture = found else { return PagePolicy.unknown }
        headers["content-type"] = picture.type
        headers["content-security-policy"] = "default-src 'none'; sandbox"
        if isSaved { headers["content-disposition"] = "attachment" }
        return HTTPResponse(status: 200, headers: headers, body: picture.bytes)
    }
}
