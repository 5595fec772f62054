package import Wire

/// How long a sound is, and for uncompressed ones how loud: what the headers of WAV, Ogg, WebM and M4A say. Nothing is decompressed.
package struct SoundHeader: Sendable, Equatable {
    /// Milliseconds, 1 to ``longest``.
    package var duration: Int64
    /// Loudness over time, 0 to 255, ``values`` of them; empty if it is not known.
    package var waveform: [UInt8] = []

    /// Milliseconds: a day.
    package static let longest: Int64 = 86_400_000
    /// Values of loudness.
    package static let values = 120

    /// - Throws: ``WireError`` if it is none of the formats, or does not say how long it is.
    package init(_ source: inout MediaBytes) throws(WireError) {
        let beginning = [UInt8](try source.slice(at: 0, 12))
        if beginning.starts(with: Array("RIFF".utf8)), beginning[8...].elementsEqual("WAVE".utf8) {
            self = try Self.wave(&source)
        } else if beginning.starts(with: Array("OggS".utf8)) {
            self = try Self.ogg(&source)
        } else if beginning.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) {
            self = try Self.webM(&source)
        } else if beginning[4..<8].elementsEqual("ftyp".utf8) {
            self = try Self.mp4(&source)
        } else {
            throw WireError(.malformed, "the file is no WAV, Ogg, WebM or M4A")
        }
    }

    /// - Parameter seconds: how long it is; at least a millisecond, because what is shorter is no sound.
    init(seconds: Double, waveform: [UInt8] = []) throws(WireError) {
        guard seconds * 1000 >= 1 else { throw WireError(.malformed, "the file does not say how long the sound is") }
        guard seconds * 1000 <= Double(Self.longest) else {
            throw WireError(.limitExceeded, "the sound is longer than a day")
        }
        (duration, self.waveform) = (Int64((seconds * 1000).rounded()), waveform)
    }
}
