package import Foundation

/// Two real Syncthing processes on loopback that keep two folders in step, for as long as the value lives. They find each
/// other by address: no discovery, no relays, nothing outside this machine.
package final class SyncthingPair {
    private struct Device {
        let home: URL
        let folder: URL
        let id: String
        let port: UInt16
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private let root: URL
    private let devices: [Device]
    private var processes: [ChildProcess] = []

    /// The folders that are kept in step.
    package var folders: [URL] { devices.map(\.folder) }

    package init() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "syncthing-\(UUID().uuidString)")
        self.root = root
        devices = try ["ada", "ben"].map { name in
            let (home, folder) = (root.appending(path: "\(name)-home"), root.appending(path: name))
            for made in [home, folder] {
                try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            }
            return Device(
                home: home, folder: folder, id: try Self.makeIdentity(in: home), port: try LoopbackPort.free())
        }
        for device in devices { try write(Self.configuration(of: device, among: devices), of: device) }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: root)
    }

    /// Starts both. The first start is a first meeting: whatever lies in the folders is exchanged.
    package func start() throws {
        for device in devices {
            let log = device.home.appending(path: "log")
            try Data().write(to: log)
            processes.append(
                try ChildProcess(
                    program: Programs.syncthing(),
                    // Without restarts there is no second process that watches over the first.
                    arguments: ["serve", "--home=\(device.home.path)", "--no-restart", "--no-browser", "--no-upgrade"],
                    output: FileHandle(forWritingTo: log)))
        }
    }

    /// Cuts the two off from each other, as if both machines went offline.
    package func stop() {
        for process in processes { process.terminate() }
        for process in processes { process.end(grace: .seconds(5)) }
        processes = []
    }

    /// What the processes said, for a test that fails.
    package var logs: String {
        devices.map { (try? String(contentsOf: $0.home.appending(path: "log"), encoding: .utf8)) ?? "" }
            .joined(separator: "\n")
    }

    /// Makes the key of a device.
    /// - Returns: its id, which is made of the certificate.
    private static func makeIdentity(in home: URL) throws -> String {
        _ = try run(["generate", "--home=\(home.path)", "--no-default-folder"])
        let id = try run(["--device-id", "--home=\(home.path)"]).trimmingCharacters(in: .whitespacesAndNewlines)
        guard id.wholeMatch(of: /[A-Z2-7-]{63}/) != nil else { throw Failed(description: "syncthing made no key") }
        return id
    }

    private static func run(_ arguments: [String]) throws -> String {
        let output = Pipe()
        let process = try ChildProcess(
            program: Programs.syncthing(), arguments: arguments, output: output.fileHandleForWriting)
        try output.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.end(grace: .seconds(10))
        return String(decoding: text, as: UTF8.self)
    }

    private func write(_ configuration: String, of device: Device) throws {
        try configuration.write(to: device.home.appending(path: "config.xml"), atomically: true, encoding: .utf8)
    }

    private static func configuration(of own: Device, among devices: [Device]) -> String {
        let known = devices.map { device in
            """
            <device id="\(device.id)"><address>tcp://127.0.0.1:\(device.port)</address></device>
            """
        }
        let sharers = devices.map { #"<device id="\#($0.id)"></device>"# }
        return """
            <configuration version="36">
                <folder id="notes" path="\(own.folder.path)" type="sendreceive" rescanIntervalS="5"
                    fsWatcherEnabled="true" fsWatcherDelayS="1">
                    <minDiskFree unit="%">0</minDiskFree>
                    \(sharers.joined())
                </folder>
                \(known.joined())
                <gui enabled="false"></gui>
                <options>
                    <listenAddress>tcp://127.0.0.1:\(own.port)</listenAddress>
                    <globalAnnounceEnabled>false</globalAnnounceEnabled>
                    <localAnnounceEnabled>false</localAnnounceEnabled>
                    <announceLANAddresses>false</announceLANAddresses>
                    <relaysEnabled>false</relaysEnabled>
                    <natEnabled>false</natEnabled>
                    <stunKeepaliveStartS>0</stunKeepaliveStartS>
                    <reconnectionIntervalS>1</reconnectionIntervalS>
                    <startBrowser>false</startBrowser>
                    <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
                    <crashReportingEnabled>false</crashReportingEnabled>
                    <urAccepted>-1</urAccepted>
                    <setLowPriority>false</setLowPriority>
                    <minHomeDiskFree unit="%">0</minHomeDiskFree>
                </options>
            </configuration>
            """
    }
}
