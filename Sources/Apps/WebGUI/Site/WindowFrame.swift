internal import Networking

/// What is around an app in its window: a line that says whose window it is, which the app cannot write to or remove, and a frame that
/// the app cannot leave.
///
/// A page that is not in a frame may go to any site, and tell it what it knows in the address. The policy of the page around a frame
/// holds for wherever the frame goes.
package struct WindowFrame: Hashable, Sendable {
    /// The app's name.
    package var title: String
    /// What kind of window this is, in a few words.
    package var note: String
    /// What is shown when the app has ended.
    package var ended: String
    /// The language of these words (BCP 47).
    package var language: String

    package init(
        title: String, note: String = "an app in Alcove",
        ended: String = "This app has ended. Close this window, and open the app again in Alcove.",
        language: String = "en"
    ) {
        (self.title, self.note, self.ended, self.language) = (title, note, ended, language)
    }

    static let stylePath = "/window.css"
    static let scriptPath = "/window.js"

    /// A part of the window; nil where there is none.
    func response(to path: String, app origin: String, entryPoint: String) -> HTTPResponse? {
        let (type, text): (String, String)
        switch path {
        case "/": (type, text) = ("text/html", page(of: origin + entryPoint.percentEncoded(keepingEscapes: false)))
        case Self.stylePath: (type, text) = ("text/css", Self.style)
        case Self.scriptPath: (type, text) = ("text/javascript", Self.script)
        default: return nil
        }
        var headers = Self.policy(app: origin)
        headers["content-type"] = type + "; charset=utf-8"
        return HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
    }

    /// The flags of the frame, and once more of the app's pages: no windows of their own, no other page in place of this one, no
    /// downloads, whose addresses no policy restricts.
    static let flags = "allow-scripts allow-same-origin allow-forms allow-modals"

    private func page(of address: String) -> String {
        """
        <!doctype html><html lang="\(language.escaped)"><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title.escaped)</title><link rel="icon" href="data:,"><link rel="stylesheet" href="\(Self.stylePath)">
        <header><h1><bdi>\(title.escaped)</bdi></h1> <span>\(note.escaped)</span></header>
        <main><iframe title="\(title.escaped)" src="\(address)" sandbox="\(Self.flags)" referrerpolicy="no-referrer"></iframe>
        <p role="status" data-text="\(ended.escaped)"></p></main>
        <script src="\(Self.scriptPath)"></script></html>
        """
    }

    private static func policy(app origin: String) -> HTTPFields {
        [
            "content-security-policy": [
                "default-src 'none'", "style-src 'self'", "script-src 'self'", "img-src data:", "frame-src \(origin)",
                "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
                "trusted-types 'none'",
            ].joined(separator: "; "),
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "origin-agent-cluster": "?1",
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
            "x-dns-prefetch-control": "off",
            "cache-control": "no-store",
        ]
    }

    private static let style = """
        :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
        html, body { height: 100%; margin: 0; }
        body { display: flex; flex-direction: column; background: Canvas; color: CanvasText; }
        header { padding: 6px 16px; border-block-end: 1px solid color-mix(in srgb, CanvasText 18%, Canvas);
          background: color-mix(in srgb, CanvasText 5%, Canvas); }
        h1 { display: inline; margin: 0; font-size: inherit; }
        header span { color: color-mix(in srgb, CanvasText 75%, Canvas); }
        main { flex: 1; min-height: 0; display: flex; }
        iframe { flex: 1; border: 0; }
        p { margin: auto; padding: 24px; text-align: center; }
        p:empty { display: none; }
        """

    /// The app's setup script tells when its connection has ended. An app that says so itself only removes itself.
    private static let script = """
        const frame = document.querySelector('iframe')
        const status = document.querySelector('[role=status]')
        addEventListener('message', ({ source, data }) => {
          if (!frame.isConnected || source !== frame.contentWindow || data !== 'w3n-ended') return
          frame.remove()
          status.textContent = status.dataset.text
        })
        """
}

extension String {
    /// As text or as an attribute's value of HTML.
    fileprivate var escaped: String {
        var text = ""
        for character in unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
