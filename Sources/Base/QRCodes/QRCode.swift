internal import CQRCode
package import Errors

/// A QR code (ISO/IEC 18004, model 2): a square of dark and light modules that a camera reads as text.
package struct QRCode: Sendable, Hashable {
    /// How much of the code may be unreadable.
    package enum Correction: Sendable {
        /// 7 %.
        case low
        /// 15 %.
        case medium
        /// 25 %.
        case quartile
        /// 30 %.
        case high
    }

    /// Modules of a side, 21 to 177, without the quiet zone.
    package let side: Int
    /// Row by row; true is dark.
    private let modules: [Bool]

    /// Light modules that a reader needs on each side (ISO/IEC 18004 section 9.1).
    package static let quietZone = 4

    /// Makes the smallest code that holds a text.
    ///
    /// - Parameter correction: at least; what fits into the same size without making it larger is better.
    /// - Throws: ``QRCodeError`` with `tooLong` for a text that no code holds: more than some 2300 bytes with ``Correction/medium``.
    package init(_ text: String, correction: Correction = .medium) throws(QRCodeError) {
        let length = Int(alcove_qr_buffer_length())
        var (code, scratch) = ([UInt8](repeating: 0, count: length), [UInt8](repeating: 0, count: length))
        // The library reads up to a zero, so what is behind one would be missing.
        guard !text.utf8.contains(0), text.utf8.count < length else { throw QRCodeError.tooLong(text) }
        let isMade = qrcodegen_encodeText(
            text, &scratch, &code, correction.level, qrcodegen_VERSION_MIN, qrcodegen_VERSION_MAX, qrcodegen_Mask_AUTO,
            true)
        guard isMade else { throw QRCodeError.tooLong(text) }
        let side = Int(qrcodegen_getSize(code))
        self.side = side
        modules = (0..<side * side).map { qrcodegen_getModule(code, Int32($0 % side), Int32($0 / side)) }
    }

    /// Whether a module is dark. Everything around the code is light.
    package func isDark(column: Int, row: Int) -> Bool {
        (0..<side).contains(column) && (0..<side).contains(row) && modules[row * side + column]
    }
}

extension QRCode.Correction {
    fileprivate var level: qrcodegen_Ecc {
        switch self {
        case .low: qrcodegen_Ecc_LOW
        case .medium: qrcodegen_Ecc_MEDIUM
        case .quartile: qrcodegen_Ecc_QUARTILE
        case .high: qrcodegen_Ecc_HIGH
        }
    }
}

/// Why there is no code for a text. It never contains the text.
package typealias QRCodeError = CodedError<QRCodeErrorCode>

/// The codes of ``QRCodeError``.
package enum QRCodeErrorCode: ErrorCode {
    /// The text is longer than a code can hold, or has a zero in it.
    case tooLong
}

extension QRCodeError {
    fileprivate static func tooLong(_ text: String) -> QRCodeError {
        QRCodeError(.tooLong, "no QR code holds a text of \(text.utf8.count) bytes; make it shorter")
    }
}
