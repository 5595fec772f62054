import Foundation
import Wire

/// WAVE files: chunks of RIFF.
extension SoundHeader {
    private struct Format {
        var bytesPerSecond: Int64
        /// Bytes of one moment of all channels.
        var frame: Int
        /// Whether each sample is an integer of 16 bits.
        var isPlain: Bool
    }

    static func wave(_ source: inout MediaBytes) throws(WireError) -> SoundHeader {
        var format: Format?
        var offset: Int64 = 12
        while true {
            let (tag, written) = (try source.tag(at: offset), try source.littleEndian(UInt32.self, at: offset + 4))
            let content = offset + 8
            if tag == "fmt " {
                format = try readFormat(&source, at: content)
            } else if tag == "data", let format, format.bytesPerSecond > 0 {
                // Who records into a pipe does not know the length, and leaves it out.
                let length = min(Int64(written), source.count - content)
                let seconds = Double(length) / Double(format.bytesPerSecond)
                let waveform =
                    format.isPlain ? try loudness(&source, at: content, length: length, frame: format.frame) : []
                return try SoundHeader(seconds: seconds, waveform: waveform)
            }
            // Chunks begin at even places.
            offset = content + Int64(written) + Int64(written & 1)
        }
    }

    private static func readFormat(_ source: inout MediaBytes, at offset: Int64) throws(WireError) -> Format {
        let kind = try source.littleEndian(UInt16.self, at: offset)
        let bits = try source.littleEndian(UInt16.self, at: offset + 14)
        return Format(
            bytesPerSecond: Int64(try source.littleEndian(UInt32.self, at: offset + 8)),
            frame: Int(try source.littleEndian(UInt16.self, at: offset + 12)),
            isPlain: (kind == 1 || kind == 0xfffe) && bits == 16)
    }

    /// Of each stretch, how loud its beginning is.
    private static func loudness(
        _ source: inout MediaBytes, at offset: Int64, length: Int64, frame: Int
    ) throws(WireError) -> [UInt8] {
        let frames = frame > 0 ? length / Int64(frame) : 0
        guard frame.isMultiple(of: 2), frames >= Int64(values) else { return [] }
        var waveform: [UInt8] = []
        for value in 0..<Int64(values) {
            let (begin, end) = (frames * value / Int64(values), frames * (value + 1) / Int64(values))
            let count = min(Int((end - begin) * Int64(frame)), 8192 / frame * frame)
            waveform.append(loudness(of: try source.slice(at: offset + begin * Int64(frame), count)))
        }
        return waveform
    }

    /// As loud as it is to an ear: the root of the mean square, on a scale of 50 dB.
    private static func loudness(of samples: ArraySlice<UInt8>) -> UInt8 {
        var sum = 0.0
        for low in stride(from: samples.startIndex, to: samples.endIndex - 1, by: 2) {
            let sample = Int16(bitPattern: UInt16(samples[low]) | UInt16(samples[low + 1]) << 8)
            sum += Double(sample) * Double(sample) / (32_768 * 32_768)
        }
        let root = (sum / Double(max(1, samples.count / 2))).squareRoot()
        return UInt8(255 * min(1, max(0, 1 + log10(root + 1e-6) / 2.5)))
    }
}
