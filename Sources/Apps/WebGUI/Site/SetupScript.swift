internal import Preloads

/// The script in the head of an app's pages that makes `window.w3n` before it returns.
package enum SetupScript: Sendable {
    /// For the pages of apps.
    case app
    /// For the page where people sign in and up.
    case startup

    /// Where pages load it from.
    var path: String {
        switch self {
        case .app: "/setup-w3n.bundle.js"
        case .startup: "/setup-w3n-for-startup.bundle.js"
        }
    }

    private var text: String {
        switch self {
        case .app: Preload.setupW3N
        case .startup: Preload.setupW3NForStartup
        }
    }

    /// What is served at the path: what is granted, the shim, and the setup script. Whatever comes after it in the page waits for
    /// it, so nothing can run before the page knows what it has.
    ///
    /// - Parameter own: the app's own copy of the setup script, which keeps the same contract.
    func served(_ listing: PrewarmedListing, own: [UInt8]?) -> [UInt8] {
        let host = #"{"listing":\#(listing.json),"socket":"\#(RequestAuthorizer.socketPath)"}"#
        let ahead = "globalThis._w3n_host_ = \(host);\n\(Preload.shim)\n;\n"
        return Array(ahead.utf8) + (own ?? Array(text.utf8))
    }
}
