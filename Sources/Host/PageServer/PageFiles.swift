import Foundation
import Host
import Networking
import Storage
import WebFiles

/// Files of messages, `/files/<room>/<message>`, and archives of the profile, `/archives/<handle>`. The host says where a file is, and only the file of a message that it shows;
/// nothing of a request becomes a part of a path.
struct PageFiles: Sendable {
    static let path = "/files/"
    static let archives = "/archives/"

    let attach: AttachServer
    private let disk = BlockingQueue("files of the page")

    init(_ attach: AttachServer) { self.attach = attach }

    /// What browsers may show. Everything else is content without a type, and only saved.
    private static let types = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "weba": "audio/webm", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "flac": "audio/flac", "wav": "audio/wav",
        "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/mp4", "webm": "video/webm", "ogv": "video/ogg",
    ]

    func response(to request: HTTPRequest) async -> HTTPResponse {
        guard await !attach.isLocked else { return PagePolicy.locked }
        guard let kept = await file(at: request.path) else { return PagePolicy.unknown }
        let headers = Self.headers(for: kept.name, isSaved: request.queryValue("save") != nil)
        return await disk.run {
            guard let file = try? WebFile(.reading(kept.path), headers: headers) else { return PagePolicy.unknown }
            return file.response(to: request)
        }
    }

    private func file(at path: String) async -> KeptFile? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return switch parts.count {
        case 4 where path.hasPrefix(Self.path): await attach.file(of: parts[3], in: parts[2])
        case 3 where path.hasPrefix(Self.archives): await attach.archive(parts[2])
        default: nil
        }
    }

    /// A file is nobody's page: opened by itself it may run nothing, load nothing, and is of no origin.
    private static func headers(for name: String, isSaved: Bool) -> HTTPFields {
        var fields = PagePolicy.fields
        let type = types[URL(fileURLWithPath: "/" + name).pathExtension.lowercased()]
        fields["content-security-policy"] = "default-src 'none'; frame-ancestors 'none'; sandbox"
        fields["content-type"] = type ?? "application/octet-stream"
        let manner = type == nil || isSaved ? "attachment" : "inline"
        fields["content-disposition"] = "\(manner); filename*=UTF-8''\(escaped(name))"
        return fields
    }

    /// A name as RFC 8187 has it: every byte but letters, digits and a few signs is escaped.
    private static func escaped(_ name: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return name.utf8.reduce(into: "") { text, byte in
            text += plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
