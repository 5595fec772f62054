import AppPacks
import Components
import Foundation

/// Changes a library until it is killed, or for a number of steps: `app-packs-crash-helper LIBRARY FIRST LAST PACK PACK`.
///
/// The steps go round: install the one pack, install the other one, take back what was granted, remove. The number of each is printed when
/// it is done. With `LIBRARY waiting FIRST LAST PACK PACK` the steps are: add the one pack, add the other one, and remove both, one after
/// the other. With `LIBRARY together COUNT PACK` the pack is installed over and over while others do the same.
@main struct AppPacksCrashHelper {
    static func main() throws {
        let arguments = CommandLine.arguments
        let library = try AppLibrary(path: arguments[1])
        if arguments[2] == "together" {
            for _ in 0..<(Int(arguments[3]) ?? 0) { try insist(library, arguments[4]) }
            return
        }
        if arguments[2] == "waiting" { return try wait(library, Array(arguments.dropFirst(3))) }
        let packs = arguments.suffix(2)
        let domain = try library.inspect(arguments[4]).manifest.domain
        say("ready")
        for step in (Int(arguments[2]) ?? 0)...(Int(arguments[3]) ?? 0) {
            switch step % 4 {
            case 0: try install(library, packs[packs.startIndex])
            case 1: try install(library, packs[packs.startIndex + 1])
            case 2: try library.setGrant(.log, to: false, of: domain)
            default: try library.remove(domain, keepingData: true)
            }
            say("\(step)")
        }
    }

    private static func wait(_ library: AppLibrary, _ arguments: [String]) throws {
        let packs = arguments.suffix(2)
        let waiting = try packs.map { path in
            let manifest = try library.inspect(path).manifest
            return WaitingPack(domain: manifest.domain, version: manifest.version)
        }
        say("ready")
        for step in (Int(arguments[0]) ?? 0)...(Int(arguments[1]) ?? 0) {
            if step % 4 < 2 {
                _ = try library.add { folder, name in
                    let source = packs[packs.startIndex + step % 4]
                    try FileManager.default.copyItem(atPath: source, toPath: "\(folder)/\(name)")
                }
            } else {
                try library.remove(waiting[step % 4 - 2])
            }
            say("\(step)")
        }
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func install(_ library: AppLibrary, _ pack: String) throws {
        try library.install(try library.inspect(pack), granting: [.log], goingBack: true)
    }

    /// Others may have installed it between the look and the installation.
    private static func insist(_ library: AppLibrary, _ pack: String) throws {
        while true {
            do {
                return try install(library, pack)
            } catch let error as AppPackError where error.code == .changed {
                continue
            }
        }
    }
}
