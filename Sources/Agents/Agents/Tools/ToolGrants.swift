package import Storage

/// What a person granted to which program: a small file, which is read at each call, so that what is taken back counts at once.
///
/// A program has the name that it was started under. Whoever can start it as this person can give it any name: the grants bound what a program is
/// offered, not what this person's own programs could do without it.
package struct ToolGrants: Sendable {
    /// Programs that have grants.
    package static let clients = 64
    /// Bytes of UTF-8 of a name.
    package static let nameBytes = 128

    private let file: KeptFile<Content>

    /// - Parameter folder: made if it is missing, with what it lies in already there.
    package init(folder: String) {
        file = KeptFile(folder: folder, name: "grants.json", remedy: "remove it, and grant anew")
    }

    private struct Content: KeptContent {
        var version = 1
        /// Words that are not known here were granted by a later version, and are kept.
        var clients: [String: [String]] = [:]
    }

    /// What a name may be: one line that looks like what it is.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameBytes
            && name.unicodeScalars.allSatisfy { !$0.properties.isDefaultIgnorableCodePoint && $0.isShown }
            && name.first != " " && name.last != " "
    }

    /// What the program may do now.
    /// - Throws: `FileError` if the file is there and cannot be read: then nothing is allowed.
    package func granted(to client: String) throws(FileError) -> Set<ToolGrant> {
        Set((try file.read().clients[client] ?? []).compactMap(ToolGrant.init))
    }

    /// All programs that may do something, by their names.
    package func all() throws(FileError) -> [(client: String, grants: [ToolGrant])] {
        try file.read().clients.map { ($0.key, $0.value.compactMap(ToolGrant.init)) }.sorted { $0.client < $1.client }
    }

    /// Allows more.
    /// - Returns: false if there are too many programs.
    package func grant(_ grants: Set<ToolGrant>, to client: String) throws(FileError) -> Bool {
        try file.change { content in
            guard content.clients[client] != nil || content.clients.count < Self.clients else { return false }
            let all = Set(content.clients[client] ?? []).union(grants.map(\.rawValue))
            content.clients[client] = all.sorted()
            return true
        }
    }

    /// Takes something back, or everything.
    package func revoke(_ grants: Set<ToolGrant>?, of client: String) throws(FileError) {
        try file.change { content in
            let left = grants.map { Set(content.clients[client] ?? []).subtracting($0.map(\.rawValue)).sorted() } ?? []
            content.clients[client] = left.isEmpty ? nil : left
            return true
        }
    }

    /// What was granted to a name is granted to another one from now on, which had something else before; without another name it is taken back.
    package func move(from client: String, to other: String?) throws(FileError) {
        let known = try file.read().clients
        guard known[client] != nil || other.flatMap({ known[$0] }) != nil else { return }
        try file.change { content in
            let grants = content.clients.removeValue(forKey: client)
            if let other { content.clients[other] = grants }
            return true
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        case .spaceSeparator: self == " "
        default: true
        }
    }
}
