package import Components

/// One web-GUI component as a site of its own: its files, what its pages may do, and who serves their capabilities.
package struct PageSite: Sendable {
    /// What is around the app in its window.
    package var frame: WindowFrame
    /// What the window's menu shows and does; nil for a window without one.
    package var menu: WindowMenu?
    /// The page that is opened.
    package var entryPoint: PackPath
    package var setupScript: SetupScript
    /// A file of the app's folder, or nil where there is none.
    package var file: @Sendable (PackPath) async -> PageFile?
    /// What pages find at `w3n`. Asked for at each load of a page, so that it is never behind.
    package var listing: @Sendable () async -> PrewarmedListing
    /// What the component asked for and was granted. Asked for at each load of a page.
    package var permissions: @Sendable () async -> Permissions
    /// Serves a page that was opened, until its socket is closed. Nil closes it at once. A page that is loaded again comes with
    /// another socket.
    package var connect: @Sendable (PageSocket) async -> (any PagePeer)?

    package init(
        frame: WindowFrame, menu: WindowMenu? = nil, entryPoint: PackPath, setupScript: SetupScript = .app,
        file: @escaping @Sendable (PackPath) async -> PageFile?,
        listing: @escaping @Sendable () async -> PrewarmedListing,
        permissions: @escaping @Sendable () async -> Permissions,
        connect: @escaping @Sendable (PageSocket) async -> (any PagePeer)?
    ) {
        self.frame = frame
        self.menu = menu
        self.entryPoint = entryPoint
        self.setupScript = setupScript
        self.file = file
        self.listing = listing
        self.permissions = permissions
        self.connect = connect
    }
}

/// A file of an app's folder, read in pieces.
package struct PageFile: Sendable {
    /// Bytes of the largest file that is served.
    package static let sizeLimit = 64 << 20
    static let pieceSize = 128 << 10

    /// In bytes.
    package var size: Int
    private let read: @Sendable (_ offset: Int, _ count: Int) async -> [UInt8]?

    /// - Parameter read: so many bytes from an offset on, or nil when they cannot be read.
    package init(size: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) async -> [UInt8]?) {
        self.size = size
        self.read = read
    }

    package init(_ bytes: [UInt8]) {
        self.init(size: bytes.count) { offset, count in Array(bytes[offset..<offset + count]) }
    }

    /// All bytes, or nil if there are too many, or fewer than was said.
    func contents() async -> [UInt8]? {
        guard (0...Self.sizeLimit).contains(size) else { return nil }
        var contents: [UInt8] = []
        contents.reserveCapacity(size)
        while contents.count < size {
            let count = min(Self.pieceSize, size - contents.count)
            guard let piece = await read(contents.count, count), piece.count == count else { return nil }
            contents += piece
        }
        return contents
    }
}

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
