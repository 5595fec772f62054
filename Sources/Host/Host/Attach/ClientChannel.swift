package import Networking

/// Frames in both directions between a host and one client, each as the bytes of one JSON object, over a socket of whatever kind.
package protocol ClientChannel: AnyObject, Sendable {
    /// Sends a frame.
    /// - Returns: false if the channel has ended, also because the other side does not read.
    @discardableResult func send(_ frame: [UInt8]) -> Bool
    /// The next frame; `nil` once the channel has ended. One caller at a time.
    func next() async -> [UInt8]?
    /// Ends the channel at once.
    func cut()
}

extension LineChannel: ClientChannel {}
