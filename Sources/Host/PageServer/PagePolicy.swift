import Networking

/// What a browser lets the page do, as fields of every response (Content Security Policy Level 3, Permissions Policy).
enum PagePolicy {
    static let fields: HTTPFields = [
        "content-security-policy": [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob: data:",
            "media-src 'self' blob:", "font-src 'self'", "connect-src 'self'", "manifest-src 'self'",
            "form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'",
            "require-trusted-types-for 'script'", "trusted-types ProseMirrorClipboard",
        ].joined(separator: "; "),
        "permissions-policy": [
            "camera=()", "geolocation=()", "usb=()", "serial=()", "hid=()", "midi=()", "payment=()",
            "display-capture=()", "microphone=(self)", "clipboard-read=(self)", "clipboard-write=(self)",
        ].joined(separator: ", "),
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
        "origin-agent-cluster": "?1",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "x-dns-prefetch-control": "off",
        "cache-control": "no-store",
    ]

    /// A sentence as a page, for a person who came here and cannot go on.
    static func refusal(_ status: Int, _ title: String, _ sentence: String) -> HTTPResponse {
        var headers = fields
        headers["content-type"] = "text/html; charset=utf-8"
        let text = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <link rel="icon" href="data:,"><title>\(title)</title><h1>\(title)</h1><p>\(sentence)</p></html>
            """
        return HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
    }

    static let wrongName = refusal(
        403, "This is not the address of the page",
        "The page has a name of its own, so that no other page can ask for it. Run <code>alcove open</code>."
    )
    static let notLetIn = refusal(
        403, "This browser was not let in",
        "Run <code>alcove open</code> in a terminal: it opens another window. <code>alcove open --no-browser</code> prints an address that lets one browser in, once."
    )
    static let usedTicket = refusal(
        403, "This address was used already",
        "Each address lets one browser in, once, and within a minute. Run <code>alcove open</code> for another one.")
    static let unknown = refusal(404, "There is nothing here", "Go back to <a href=\"/\">the page</a>.")
    static let noWindow = refusal(
        410, "This window was closed", "Open the app again in <a href=\"/\">the page</a>, and close this window.")
    static let notAllowed = refusal(405, "This cannot be done here", "Go back to <a href=\"/\">the page</a>.")
    static let otherOrigin = refusal(
        403, "Another page asked for this", "Only the page itself may talk to Alcove. Run <code>alcove open</code>.")
    static let tooMany = refusal(503, "Too many pages are open", "Close one, then try again.")
    static let locked = refusal(403, "Alcove is locked", "Go back to <a href=\"/\">the page</a> and unlock it.")
    static let unknownPage = HTTPResponse(
        status: 403, headers: fields, body: Array("Alcove does not know this page any more. Load it again.".utf8))
    static let tooMuchWaits = HTTPResponse(
        status: 507, headers: fields, body: Array("Too much waits to be sent. Send what is there first.".utf8))
    static let diskFull = HTTPResponse(
        status: 507, headers: fields, body: Array("There is no room left on the disk.".utf8))
    static let tooManyFiles = HTTPResponse(
        status: 503, headers: fields, body: Array("Too many files come in at once. Wait for some of them.".utf8))
    static let tooLarge = HTTPResponse(
        status: 413, headers: fields, body: Array("A file may have up to 4 GiB.".utf8))
}
