/// INIT or INIT ACK (RFC 9260 sections 3.3.2 and 3.3.3).
struct InitChunk {
    var peer: PeerParameters
    /// Only in INIT ACK: where the cookie lies in the packet.
    var cookie: Range<Int>?
    /// Parameters that the sender wants to hear about, because we do not know them.
    var unrecognized: [[UInt8]] = []

    /// Why one cannot be accepted.
    enum Flaw: Error {
        /// Not even worth an answer.
        case malformed
        /// To be answered with ABORT and this cause.
        case refused(cause: [UInt8])
    }

    init(_ packet: RawSpan, _ chunk: Element) throws(Flaw) {
        guard chunk.body.count >= 16 else { throw .malformed }
        let start = chunk.body.lowerBound
        peer = PeerParameters(
            tag: packet.uint32(start),
            window: packet.uint32(start + 4),
            outgoingStreams: packet.uint16(start + 8),
            incomingStreams: packet.uint16(start + 10),
            initialTSN: packet.uint32(start + 12),
            abilities: [])
        guard peer.tag != 0 else { throw .malformed }
        guard peer.outgoingStreams > 0, peer.incomingStreams > 0 else {
            throw .refused(cause: .cause(ErrorCause.invalidParameter))
        }
        var walk = ElementWalk(parametersIn: start + 16..<chunk.body.upperBound)
        while let parameter = walk.next(in: packet) {
            guard try read(parameter, packet) else { break }
        }
        guard !walk.isMalformed else { throw .malformed }
        // Interleaving comes with its own FORWARD TSN (RFC 8260 section 2.2.1).
        if !peer.abilities.contains(.partialReliability) { peer.abilities.remove(.interleaving) }
    }

    /// `false` if the rest is not to be read.
    private mutating func read(_ parameter: Element, _ packet: RawSpan) throws(Flaw) -> Bool {
        switch parameter.type {
        case ParameterType.cookie: cookie = parameter.body
        case ParameterType.forwardTSN: peer.abilities.insert(.partialReliability)
        case ParameterType.zeroChecksum where parameter.body.count == 4:
            // 1 is DTLS, RFC 9653 section 4.
            if packet.uint32(parameter.body.lowerBound) == 1 { peer.abilities.insert(.zeroChecksum) }
        case ParameterType.supportedExtensions:
            for offset in parameter.body {
                switch UInt16(packet.byte(offset)) {
                case ChunkType.reconfiguration: peer.abilities.insert(.reconfiguration)
                case ChunkType.interleavedData: peer.abilities.insert(.interleaving)
                case ChunkType.forwardTSN: peer.abilities.insert(.partialReliability)
                default: break
                }
            }
        case ParameterType.hostName:
            throw .refused(cause: .cause(ErrorCause.unresolvableAddress, packet.array(parameter.whole)))
        // Addresses have no meaning over DTLS (RFC 8261 section 6.1); the others are for extensions that we do not use.
        case ParameterType.ipv4Address, ParameterType.ipv6Address, ParameterType.cookiePreservative,
            ParameterType.addressTypes, ParameterType.congestionNotification, ParameterType.random,
            ParameterType.chunkList, ParameterType.authenticationAlgorithms, ParameterType.padding,
            ParameterType.adaptation, ParameterType.unrecognized, ParameterType.zeroChecksum:
            break
        default:
            let rule = UnknownRule(parameter: parameter.type)
            if rule.reports, unrecognized.count < 8, parameter.body.count <= 256 {
                unrecognized.append(packet.array(parameter.whole))
            }
            return rule.goesOn
        }
        return true
    }

    /// The chunk to send.
    static func bytes(
        _ type: UInt16, _ own: PeerParameters, cookie: [UInt8]? = nil, unrecognized: [[UInt8]] = []
    ) -> [UInt8] {
        var body: [UInt8] = []
        body.put(own.tag)
        body.put(own.window)
        body.put(own.outgoingStreams)
        body.put(own.incomingStreams)
        body.put(own.initialTSN)
        if let cookie { body.put(parameter: ParameterType.cookie, cookie) }
        if own.abilities.contains(.partialReliability) { body.put(parameter: ParameterType.forwardTSN) }
        if own.abilities.contains(.zeroChecksum) { body.put(parameter: ParameterType.zeroChecksum, [0, 0, 0, 1]) }
        var extensions: [UInt8] = []
        func offer(_ type: UInt16) { extensions.append(UInt8(truncatingIfNeeded: type)) }
        if own.abilities.contains(.reconfiguration) { offer(ChunkType.reconfiguration) }
        if own.abilities.contains(.partialReliability) { offer(ChunkType.forwardTSN) }
        if own.abilities.contains(.interleaving) {
            offer(ChunkType.interleavedData)
            offer(ChunkType.interleavedForwardTSN)
        }
        body.put(parameter: ParameterType.supportedExtensions, extensions)
        for parameter in unrecognized { body.put(parameter: ParameterType.unrecognized, parameter) }
        return .chunk(type, body)
    }
}
