internal import Foundation

/// The message bus of the desktop session.
enum SessionBus {
    /// Where it listens, as the environment says; `nil` if this process belongs to no session. Nothing is started to find out.
    static var address: String? {
        let environment = ProcessInfo.processInfo.environment
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return address.hasPrefix("autolaunch:") ? nil : address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        let path = folder + "/bus"
        let isUsual = path.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/_-.".utf8.contains(byte)
        }
        return isUsual && FileManager.default.fileExists(atPath: path) ? "unix:path=" + path : nil
    }
}
