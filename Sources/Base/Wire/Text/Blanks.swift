/// Blanks that follow each other, of which a text keeps those that take a few cells.
struct Blanks {
    /// Cells within a line.
    static let limit = 8
    /// Cells at the beginning of a line, where code is indented.
    static let indentationLimit = 64

    private var room = limit
    private var count = 0

    /// Whether a text keeps its next character.
    mutating func keep(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\n": (room, count) = (Self.indentationLimit, 0)
        case _ where Self.isBlank(scalar): count += PrintableText.cells(scalar)
        // What cannot be seen does not end a row of blanks, and goes with the blank that it belongs to.
        case _ where scalar.properties.isDefaultIgnorableCodePoint: break
        default: (room, count) = (Self.limit, 0)
        }
        return count <= room
    }

    /// Whether it takes room and shows nothing: every space, the tab, and signs that are empty by their meaning.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x09: true
        case 0x21...0x7E: false
        // Braille without dots, a filler, Egyptian blanks and a note without a head.
        case 0x2800, 0x16FE4, 0x13441, 0x13442, 0x1D159: true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
