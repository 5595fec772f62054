/// The content of a note: a ProseMirror document, as the CRDT keeps it in an XML fragment.
///
/// It holds whatever was read, also nodes and marks that no schema here knows. ``Schema`` says what may be written.
public struct RichText: Hashable, Sendable {
    /// How many elements may stand in each other in a document that is written. What another program nested deeper is shown flat, so a
    /// document that is read is hardly deeper, and may be walked by functions that call themselves.
    public static let depthLimit = 136

    /// The children of the document: blocks.
    public var blocks: [Node]

    /// A document of these blocks. Whether they fit the schema is for ``Schema/problems(in:)``.
    public init(_ blocks: [Node] = []) { self.blocks = blocks }

    /// A child of an element or of the document.
    public enum Node: Hashable, Sendable {
        /// A block, or another element with children.
        case element(Element)
        /// A run of text children: one `XmlText` of the CRDT.
        case text([Run])
    }

    /// A node with a name: `paragraph`, `heading`, `listItem`…
    public struct Element: Hashable, Sendable {
        /// The name of the element in the schema, `paragraph` for example.
        public var name: String
        /// Absent attributes have the schema's default.
        public var attributes: [String: Value]
        /// What is inside, in order.
        public var children: [Node]

        /// An element with its attributes and children.
        public init(_ name: String, _ attributes: [String: Value] = [:], _ children: [Node] = []) {
            self.name = name
            self.attributes = attributes
            self.children = children
        }
    }

    /// Text, or something embedded in it, with the same marks throughout.
    public struct Run: Hashable, Sendable {
        /// What a run consists of.
        public enum Content: Hashable, Sendable {
            /// Text, not empty.
            case text(String)
            /// Something that stands in the text like one character.
            case embed(Value)
        }

        /// The text or the embed.
        public var content: Content
        /// By the name that the CRDT has: `bold`, `link`, `commentMark--mabJ5Uiu`.
        public var marks: [String: Value]

        /// A run of text with marks.
        public init(_ text: String, _ marks: [String: Value] = [:]) { self.init(content: .text(text), marks: marks) }

        /// A run with marks.
        public init(content: Content, marks: [String: Value] = [:]) {
            self.content = content
            self.marks = marks
        }
    }

    /// A JSON value in an attribute or a mark.
    public enum Value: Hashable, Sendable {
        /// JSON's `null`.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A number. JSON knows only one kind.
        case number(Double)
        /// A string.
        case string(String)
        /// Values in order.
        case array([Value])
        /// Values by name, without order.
        case object([String: Value])
    }
}
