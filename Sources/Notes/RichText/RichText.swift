/// The content of a note: a ProseMirror document, as the CRDT keeps it in an XML fragment.
///
/// It holds whatever was read, also nodes and marks that no schema here knows. ``Schema`` says what may be written.
public struct RichText: Hashable, Sendable {
    /// How many elements may stand in each other in a document that is written. What another program nested deeper is shown flat, so a
    /// document that is read is hardly deeper, and may be walked by functions that call themselves.
    public static let depthLimit = 136

    /// The children of the document: blocks.
    public var blocks: [Node]

    public init(_ blocks: [Node] = []) { self.blocks = blocks }

    /// A child of an element or of the document.
    public enum Node: Hashable, Sendable {
        case element(Element)
        /// A run of text children: one `XmlText` of the CRDT.
        case text([Run])
    }

    /// A node with a name: `paragraph`, `heading`, `listItem`…
    public struct Element: Hashable, Sendable {
        public var name: String
        /// Absent attributes have the schema's default.
        public var attributes: [String: Value]
        public var children: [Node]

        public init(_ name: String, _ attributes: [String: Value] = [:], _ children: [Node] = []) {
            self.name = name
            self.attributes = attributes
            self.children = children
        }
    }

    /// Text, or something embedded in it, with the same marks throughout.
    public struct Run: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            case text(String)
            case embed(Value)
        }

        public var content: Content
        /// By the name that the CRDT has: `bold`, `link`, `commentMark--mabJ5Uiu`.
        public var marks: [String: Value]

        public init(_ text: String, _ marks: [String: Value] = [:]) { self.init(content: .text(text), marks: marks) }

        public init(content: Content, marks: [String: Value] = [:]) {
            self.content = content
            self.marks = marks
        }
    }

    /// A JSON value in an attribute or a mark.
    public enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
        case array([Value])
        case object([String: Value])
    }
}
