package import Components
package import Wire

extension PortMessage {
    package func frame(_ sort: UInt8) -> [UInt8] {
        var frame = FrameWriter(sort, capacity: FrameWriter.size(of: port) + bytes.count)
        frame.write(port)
        frame.write(rest: bytes)
        return frame.bytes
    }

    package init(reading reader: inout ByteReader) throws(WireError) {
        let port = try reader.readText()
        guard port.utf8.count <= Self.longestPort else { throw WireError(.limitExceeded, "a port's name is too long") }
        self.init(port: port, bytes: Array(reader.readRemaining()))
    }
}
