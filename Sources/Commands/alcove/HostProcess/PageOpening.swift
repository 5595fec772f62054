import AppCore
import Catalogues
import Foundation

/// The file by which a browser comes to the page. It reads it anew each second until it is led on.
struct PageOpening {
    let path: String

    /// - Parameter folder: the profile, in which only its owner may read.
    init(folder: String) { path = folder + "/open.html" }

    /// The address lets one browser in, so nobody else may read it.
    func lead(to address: String) throws {
        let address = Self.escaped(address)
        try write(
            """
            <meta http-equiv="refresh" content="0; url=\(address)"><main><a href="\(address)">Open the page</a></main>
            """)
    }

    func wait(_ done: Int, of all: Int) throws {
        let words = Words.key("lock.moving", ["done": .count(done), "total": .count(all)])
        try write(
            """
            <meta http-equiv="refresh" content="1"><main role="status"><h1>\(Self.escaped(words.english))</h1>
            <progress max="\(all)" value="\(done)"></progress></main>
            """)
    }

    func end(_ reason: String) throws { try write("<main role=\"alert\"><h1>\(Self.escaped(reason))</h1></main>") }

    /// Whole or not at all: a browser that found no file would not look again.
    private func write(_ body: String) throws {
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Alcove</title><style>
            :root { color-scheme: light dark } body { margin: 0; font: 1rem system-ui, sans-serif }
            main { display: grid; min-height: 100vh; place-content: center; gap: 1.5rem; padding: 1rem; text-align: center }
            h1 { margin: 0; font-size: 1.25rem; font-weight: 500 } progress { width: 100% }
            </style>\(body)</html>
            """
        let part = path + ".part"
        try? FileManager.default.removeItem(atPath: part)
        guard
            FileManager.default.createFile(
                atPath: part, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(part, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
