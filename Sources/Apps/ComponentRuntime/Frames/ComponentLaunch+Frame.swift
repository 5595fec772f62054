package import Components
package import Wire

extension ComponentLaunch {
    /// Field after field; both ends are of the same build, so there are no versions.
    package var encoded: [UInt8] {
        var writer = FrameWriter(0, capacity: 0)
        for text in [kind.rawValue, name, source, code] { writer.write(text) }
        writer.write(UInt64(capabilities.count))
        for (path, names) in capabilities {
            for list in [path, names] {
                writer.write(UInt64(list.count))
                for text in list { writer.write(text) }
            }
        }
        for number in limits.numbers { writer.write(UInt64(clamping: number)) }
        writer.write(determinism == nil ? 0 : 1)
        writer.write(UInt64(bitPattern: determinism?.start ?? 0))
        writer.write(determinism?.seed ?? 0)
        return Array(writer.bytes.dropFirst(5))
    }

    package init(reading reader: inout ByteReader) throws(WireError) {
        guard let kind = Kind(rawValue: try reader.readText()) else {
            throw WireError(.malformed, "the component is of an unknown kind")
        }
        self.init(
            kind: kind, name: try reader.readText(), source: try reader.readText(), code: try reader.readText())
        for _ in 0..<(try reader.readCount()) {
            let path = try reader.readTexts()
            capabilities[path] = try reader.readTexts()
        }
        var numbers: [Int] = []
        for _ in limits.numbers { numbers.append(Int(clamping: try reader.readInteger(UInt64.self))) }
        limits.numbers = numbers
        let isFixed = try reader.readInteger(UInt64.self) == 1
        let start = Int64(bitPattern: try reader.readInteger())
        let seed = try reader.readInteger(UInt64.self)
        determinism = isFixed ? ComponentDeterminism(start: start, seed: seed) : nil
    }
}

extension ComponentLimits {
    /// All of them, durations in milliseconds.
    fileprivate var numbers: [Int] {
        get {
            [
                memory, turn.milliseconds, silence.milliseconds, message, backlog, timers, processorTime.milliseconds,
                processorShare,
            ]
        }
        set {
            guard newValue.count == 8 else { return }
            memory = newValue[0]
            turn = .milliseconds(newValue[1])
            silence = .milliseconds(newValue[2])
            message = newValue[3]
            backlog = newValue[4]
            timers = newValue[5]
            processorTime = .milliseconds(newValue[6])
            processorShare = newValue[7]
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int { Int(clamping: Int64((self / .milliseconds(1)).rounded())) }
}

extension ByteReader {
    fileprivate mutating func readCount() throws(WireError) -> Int {
        let count = try readInteger(UInt64.self)
        // Whatever is counted has at least a length of four bytes.
        guard count <= UInt64(remaining / 4) else { throw WireError(.limitExceeded, "there are more items than bytes") }
        return Int(count)
    }

    fileprivate mutating func readTexts() throws(WireError) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try readCount()) { texts.append(try readText()) }
        return texts
    }
}

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
