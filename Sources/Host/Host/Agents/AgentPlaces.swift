package import AppCore
import Foundation

/// Where the places lead that an agent of this machine names. A symbolic link in the folder of its session may lead out of it; what is asked, shown and
/// allowed is then about the place at its end.
package struct AgentPlaces: Sendable {
    private let folder: String
    /// The folder without links.
    private let root: String

    /// Links that one place may go through, as the kernel counts them.
    private static let links = 40

    /// - Parameter folder: the folder of the session, an absolute path.
    package init(folder: String) {
        self.folder = folder
        root = Self.end(of: folder) ?? folder
    }

    /// The call with each place that is in the folder only as it is written called by its real name.
    package func named(_ call: AgentCall) -> AgentCall {
        var call = call
        call.paths = call.paths?.map(realName)
        call.results = call.results?.map { result in
            guard case .difference(let path, let old, let new) = result else { return result }
            return .difference(path: realName(path), old: old, new: new)
        }
        return call
    }

    private func realName(_ place: String) -> String {
        guard Self.lies(place, in: folder) else { return place }
        // One that leads nowhere, or round in a circle, is in no folder.
        guard let end = Self.end(of: place) else { return "?" + place }
        return end == root || Self.lies(end, in: root) ? place : end
    }

    private static func lies(_ place: String, in folder: String) -> Bool {
        place.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }

    /// The place without links, also where there is nothing yet; nil if it goes through too many.
    private static func end(of place: String) -> String? {
        var left = Array(place.split(separator: "/").reversed())
        var (path, followed) = ("", 0)
        while let name = left.popLast() {
            if name == "." { continue }
            if name == ".." {
                path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
                continue
            }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(name)") else {
                path += "/\(name)"
                continue
            }
            followed += 1
            guard followed <= links else { return nil }
            if target.hasPrefix("/") { path = "" }
            left += target.split(separator: "/").reversed()
        }
        return path.isEmpty ? "/" : path
    }
}
