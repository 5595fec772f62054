/// The kinds of images that notes hold.
package enum MediaType: String, Hashable, Sendable, CaseIterable {
    case png
    case jpeg
    case gif
    case webp
    case svg
    case heic
    case heif

    /// Without the dot.
    package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

    package var mimeType: String { self == .svg ? "image/svg+xml" : "image/\(rawValue)" }

    init?(fileExtension: some StringProtocol) {
        let text = fileExtension.lowercased()
        self.init(rawValue: text == "jpg" ? "jpeg" : text)
    }

    /// What the bytes are, by how they begin.
    package init?(of bytes: [UInt8]) {
        func begins(_ text: StaticString, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(
                with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if begins("GIF87a") || begins("GIF89a") {
            self = .gif
        } else if begins("RIFF"), begins("WEBP", at: 8) {
            self = .webp
        } else if begins("ftyp", at: 4) {
            if ["heic", "heix", "hevc", "hevx", "heim", "heis"].contains(where: { begins($0, at: 8) }) {
                self = .heic
            } else if begins("mif1", at: 8) || begins("msf1", at: 8) {
                self = .heif
            } else {
                return nil
            }
        } else if Self.isSVG(bytes) {
            self = .svg
        } else {
            return nil
        }
    }

    private static func isSVG(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(1024), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
        return start.hasPrefix("<svg")
            || ((start.hasPrefix("<?xml") || start.hasPrefix("<!")) && start.contains("<svg"))
    }
}
