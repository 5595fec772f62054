extension SessionDescription {
    /// The text for the wire, with CRLF line ends.
    public var sdp: String {
        var lines = [
            "v=0", "o=- \(sessionID) \(sessionVersion) IN IP4 127.0.0.1", "s=-", "t=0 0",
        ]
        if let mid = dataChannels?.mid { lines.append("a=group:BUNDLE \(mid)") }
        if dataChannels?.iceLite == true { lines.append("a=ice-lite") }
        for section in sections {
            switch section {
            case .dataChannels(let section): lines += section.lines
            case .other(let section): lines += section.lines
            }
        }
        return lines.joined(separator: "\r\n") + "\r\n"
    }
}

extension SessionDescription.DataChannelSection {
    fileprivate var lines: [String] {
        var lines = [
            usesSCTPMap
                ? "m=application 9 DTLS/SCTP \(sctpPort)" : "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
            "c=IN IP4 0.0.0.0",
            "a=mid:\(mid)",
            "a=ice-ufrag:\(iceUsernameFragment)",
            "a=ice-pwd:\(icePassword)",
        ]
        if trickle { lines.append("a=ice-options:trickle") }
        lines += fingerprints.map { "a=fingerprint:\($0)" }
        lines.append("a=setup:\(setup.rawValue)")
        lines.append(usesSCTPMap ? "a=sctpmap:\(sctpPort) webrtc-datachannel 1024" : "a=sctp-port:\(sctpPort)")
        lines.append("a=max-message-size:\(maxMessageSize)")
        lines += candidates.map { "a=\($0.line)" }
        if endOfCandidates { lines.append("a=end-of-candidates") }
        return lines
    }
}

extension SessionDescription.OtherSection {
    /// Always as a refused section: port 0.
    fileprivate var lines: [String] {
        var lines = ["m=\(media) 0 \(proto) \(formats.joined(separator: " "))", "c=IN IP4 0.0.0.0"]
        if let mid { lines.append("a=mid:\(mid)") }
        return lines
    }
}
