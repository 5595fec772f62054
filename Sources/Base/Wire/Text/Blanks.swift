/// Blanks in a row. A text keeps only as many as fit into a few cells.
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
        // Invisible characters do not end a row of blanks; they are kept or dropped with their blank.
        case _ where scalar.properties.isDefaultIgnorableCodePoint: break
        default: (room, count) = (Self.limit, 0)
        }
        return count <= room
    }

    /// Whether it takes room and shows nothing: spaces, the tab, and characters that are empty by definition.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20, 0x09: true
        case 0x21...0x7E: false
        // Blank Braille pattern, Hangul filler, Egyptian blanks and the null notehead.
        case 0x2800, 0x16FE4, 0x13441, 0x13442, 0x1D159: true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
