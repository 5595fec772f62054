import Foundation

/// Where the files of the page are: beside an installed program, or where the sources were built.
enum PageLocation {
    static let folder: String = {
        let program = URL(fileURLWithPath: HostStart.program).resolvingSymlinksInPath().deletingLastPathComponent()
        let installed = program.deletingLastPathComponent().appendingPathComponent("share/alcove/page").path
        var place = program
        while place.path != "/" {
            let built = place.appendingPathComponent("Web/dist").path
            if FileManager.default.fileExists(atPath: built + "/index.html") { return built }
            place.deleteLastPathComponent()
        }
        return installed
    }()
}
