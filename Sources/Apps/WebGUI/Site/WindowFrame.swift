internal import Networking

/// What is around an app in its window: a line that says whose window it is and has a menu, which the app cannot write to, cover or
/// remove, and a frame that the app cannot leave.
///
/// A page that is not in a frame may go to any site, and tell it what it knows in the address. The policy of the page around a frame
/// holds for wherever the frame goes.
package struct WindowFrame: Hashable, Sendable {
    /// What the menu says, and what is left when the app has ended. The names are those of the catalogue.
    package enum Text: String, CaseIterable, Sendable {
        case close, closeByHand = "close_by_hand"
        case menu, hide, permissions, harmless, log, silent, warning, error, failed, stolen, stop

        package var english: String {
            switch self {
            case .close: "Close this window"
            case .closeByHand: "The browser leaves it to you to close this window."
            case .menu: "Menu"
            case .hide: "Done"
            case .permissions: "What it may do"
            case .harmless: "It asks for nothing."
            case .log: "What it said last"
            case .silent: "It has said nothing."
            case .warning: "Warning"
            case .error: "Error"
            case .failed: "This did not work. Try again."
            case .stolen: "This app took the keyboard away from its menu again and again, and was stopped."
            case .stop: "Stop this app"
            }
        }
    }

    /// The app's name.
    package var title: String
    /// What kind of window this is, in a few words.
    package var note: String
    /// What is shown when the app has ended.
    package var ended: String
    /// The language of these words (BCP 47).
    package var language: String
    /// What is missing is said in English.
    package var texts: [Text: String]

    package init(
        title: String, note: String = "an app in Alcove",
        ended: String = "This app has ended. Close this window, and open the app again in Alcove.",
        language: String = "en", texts: [Text: String] = [:]
    ) {
        (self.title, self.note, self.ended, self.language, self.texts) = (title, note, ended, language, texts)
    }

    /// A part of the window; nil where there is none.
    func response(to path: String, app origin: String, entryPoint: String, hasMenu: Bool) -> HTTPResponse? {
        let (type, text): (String, String)
        switch path {
        case "/":
            let address = origin + entryPoint.percentEncoded(keepingEscapes: false)
            (type, text) = ("text/html", page(of: address, hasMenu: hasMenu))
        case Self.stylePath: (type, text) = ("text/css", Self.style)
        case Self.scriptPath: (type, text) = ("text/javascript", Self.script)
        case Self.menuScriptPath where hasMenu: (type, text) = ("text/javascript", Self.menuScript)
        default: return nil
        }
        var headers = Self.policy(app: origin)
        headers["content-type"] = type + "; charset=utf-8"
        return HTTPResponse(status: 200, headers: headers, body: Array(text.utf8))
    }

    /// The flags of the frame, and once more of the app's pages: no windows of their own, no other page in place of this one, no
    /// downloads, whose addresses no policy restricts, and no `alert`, `confirm`, `prompt` and `print`, which lie above the menu.
    static let flags = "allow-scripts allow-same-origin allow-forms"

    private static func policy(app origin: String) -> HTTPFields {
        [
            "content-security-policy": [
                "default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src data:",
                "frame-src \(origin)", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'", "trusted-types 'none'",
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
}
