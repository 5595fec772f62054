import Host
import Networking

/// A picture of a note: `/notes/NOTE/media/PICTURE`.
struct PagePicture {
    let note: String
    let id: String

    /// Nil for another path. What is no name of a note or a picture names none.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "notes", parts[3] == "media" else { return nil }
        (note, id) = (parts[2], parts[4])
    }

    /// The bytes, as a picture and nothing else: a drawing (SVG) that is opened by itself runs nothing and loads nothing.
    func response(from attach: AttachServer) async -> HTTPResponse {
        guard let picture = await attach.picture(id, of: note) else { return PagePolicy.unknown }
        var headers = PagePolicy.fields
        headers["content-type"] = picture.type
        headers["content-security-policy"] = "default-src 'none'; sandbox"
        // The same id has the same bytes for ever.
        headers["cache-control"] = "private, max-age=86400, immutable"
        return HTTPResponse(status: 200, headers: headers, body: picture.bytes)
    }
}
