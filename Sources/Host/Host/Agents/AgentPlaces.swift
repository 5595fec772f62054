package import AppCore
import Foundation

/// Where the places lead that an agent of this machine names. A symbolic link in the folder of its session may lead out of it; what is asked, shown and
/// allowed is then about the place at its end.
///
/// Paths are bytes to the system. As texts, two that are written differently may be equal, and a slash may be a part of the character before it.
package struct AgentPlaces: Sendable {
    private typealias Path = [UInt8]

    private let folder: Path
    /// The folder without links.
    private let root: Path
    /// What is shown of places in the folder.
    private let shown: Path

    /// Links that one place may go through, as the kernel counts them.
    private static let links = 40
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// - Parameter folder: the folder of the session, an absolute path.
    package init(folder: String) {
        self.folder = Array(folder.utf8)
        root = Self.end(of: self.folder) ?? self.folder
        shown = Array(folder.agentName.utf8)
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
        let written = Array(place.utf8)
        guard Self.lies(written, in: folder) else {
            // Another folder may be called as this one is shown.
            return Self.lies(Array(place.agentName.utf8), in: shown) ? "?" + place : place
        }
        // One that leads nowhere, round in a circle, or to what has no name as a text, is in no folder.
        guard let end = Self.end(of: written), let name = String(validating: end, as: UTF8.self) else {
            return "?" + place
        }
        return end == root || Self.lies(end, in: root) ? place : name
    }

    private static func lies(_ place: Path, in folder: Path) -> Bool {
        place.starts(with: folder.last == slash ? folder : folder + [slash])
    }

    /// The place without links, also where there is nothing yet; nil if it goes through too many, or if that cannot be told.
    private static func end(of place: Path) -> Path? {
        guard !place.contains(0) else { return nil }
        var left = place.split(separator: slash).map(Path.init).reversed() as [Path]
        var (path, followed): (Path, Int) = ([], 0)
        while let name = left.popLast() {
            if name == [dot] { continue }
            if name == [dot, dot] {
                path = path.lastIndex(of: slash).map { Path(path[..<$0]) } ?? []
                continue
            }
            let next = path + [slash] + name
            switch link(at: next) {
            case .none: path = next
            case .unknown: return nil
            case .to(let target):
                followed += 1
                guard followed <= links else { return nil }
                if target.first == slash { path = [] }
                left += target.split(separator: slash).map(Path.init).reversed()
            }
        }
        return path.isEmpty ? [slash] : path
    }

    private enum Link {
        case none
        case to(Path)
        case unknown
    }

    private static func link(at path: Path) -> Link {
        let name = path.map(CChar.init(bitPattern:)) + [0]
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
            guard let start = buffer.baseAddress else { return .unknown }
            let count = readlink(name, start, buffer.count)
            guard count < buffer.count else { return .unknown }
            if count >= 0 { return .to(buffer[..<count].map(UInt8.init(bitPattern:))) }
            // It is no link, or there is nothing yet.
            return errno == EINVAL || errno == ENOENT || errno == ENOTDIR ? .none : .unknown
        }
    }
}
