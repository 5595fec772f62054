internal import Components

/// Types of files by the extension of their names, which is what upstream knows plus what apps also ship.
enum ContentType {
    /// For a name whose extension says nothing. Browsers are told not to guess.
    static let unknown = "application/octet-stream"

    static func of(_ path: PackPath) -> String {
        guard let dot = path.text.lastIndex(of: ".") else { return unknown }
        return types[String(path.text[path.text.index(after: dot)...])] ?? unknown
    }

    private static let types = [
        "html": "text/html", "js": "text/javascript", "mjs": "text/javascript", "css": "text/css",
        "json": "application/json", "map": "application/json", "wasm": "application/wasm",
        "txt": "text/plain; charset=utf-8", "pdf": "application/pdf",
        "svg": "image/svg+xml", "png": "image/png", "webp": "image/webp", "gif": "image/gif", "avif": "image/avif",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "ico": "image/x-icon",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav", "m4a": "audio/mp4",
        "mp4": "video/mp4", "webm": "video/webm",
    ]
}
