internal import CMarkdown
internal import Synchronization

/// A document that libcmark-gfm has parsed, with its extensions for tables and strikethrough.
struct CommonMark: ~Copyable {
    /// Longer text is cut: an hour of reading in a second, and far below what the C library can count.
    static let sizeLimit = 16 << 20

    let root: Node
    private let pointer: OpaquePointer

    init?(_ text: String) {
        guard let pointer = Self.parsing.withLock({ _ in Self.parse(text) }) else { return nil }
        self.pointer = pointer
        root = Node(pointer)
    }

    /// While it parses, the library keeps the characters of its extensions in variables of the process.
    private static let parsing = Mutex(())

    private static func parse(_ text: String) -> OpaquePointer? {
        cmark_gfm_core_extensions_ensure_registered()
        guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE) else {
            return nil
        }
        defer { cmark_parser_free(parser) }
        for name in ["table", "strikethrough"] {
            if let found = cmark_find_syntax_extension(name) { cmark_parser_attach_syntax_extension(parser, found) }
        }
        var text = text
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                cmark_parser_feed(parser, chars.baseAddress, min(chars.count, sizeLimit))
            }
        }
        return cmark_parser_finish(parser)
    }

    deinit { cmark_node_free(pointer) }

    enum Kind {
        case document, paragraph, heading, quote, list, item, code, html, rule, table, row, cell
        case text, softBreak, hardBreak, codeSpan, tag, emphasis, strong, strike, link, image, other
    }

    /// A node, valid as long as the document.
    struct Node: Equatable {
        private let pointer: OpaquePointer
        let kind: Kind

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
            kind = Self.kindOfNode(pointer)
        }

        var children: [Node] {
            var children: [Node] = []
            var next = cmark_node_first_child(pointer)
            while let child = next {
                children.append(Node(child))
                next = cmark_node_next(child)
            }
            return children
        }

        var next: Node? { cmark_node_next(pointer).map(Node.init) }
        var literal: String { Self.string(cmark_node_get_literal(pointer)) }
        var url: String { Self.string(cmark_node_get_url(pointer)) }
        var title: String { Self.string(cmark_node_get_title(pointer)) }
        var info: String { Self.string(cmark_node_get_fence_info(pointer)) }
        var headingLevel: Int { Int(cmark_node_get_heading_level(pointer)) }
        var isOrdered: Bool { cmark_node_get_list_type(pointer) == CMARK_ORDERED_LIST }
        var listStart: Int { Int(cmark_node_get_list_start(pointer)) }

        /// For each column of a table `l`, `c`, `r` or nothing.
        var alignments: [Character?] {
            let count = Int(cmark_gfm_extensions_get_table_columns(pointer))
            guard let alignments = cmark_gfm_extensions_get_table_alignments(pointer) else { return [] }
            return (0..<count).map { alignments[$0] == 0 ? nil : Character(Unicode.Scalar(alignments[$0])) }
        }

        /// Visits what is inside, in order; `visit` says of an entered node whether to go into it.
        func walk(_ visit: (Node, _ isEntering: Bool) -> Bool) {
            guard let walk = cmark_iter_new(pointer) else { return }
            defer { cmark_iter_free(walk) }
            while true {
                let event = cmark_iter_next(walk)
                guard event != CMARK_EVENT_DONE, let current = cmark_iter_get_node(walk) else { return }
                guard current != pointer else { continue }
                let isEntering = event == CMARK_EVENT_ENTER
                let isWanted = visit(Node(current), isEntering)
                if isEntering, !isWanted, cmark_node_first_child(current) != nil {
                    cmark_iter_reset(walk, current, CMARK_EVENT_EXIT)
                }
            }
        }

        private static func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }

        private static func kindOfNode(_ node: OpaquePointer) -> Kind {
            switch cmark_node_get_type(node) {
            case CMARK_NODE_TEXT: .text
            case CMARK_NODE_SOFTBREAK: .softBreak
            case CMARK_NODE_LINEBREAK: .hardBreak
            case CMARK_NODE_CODE: .codeSpan
            case CMARK_NODE_HTML_INLINE: .tag
            case CMARK_NODE_EMPH: .emphasis
            case CMARK_NODE_STRONG: .strong
            case CMARK_NODE_LINK: .link
            case CMARK_NODE_IMAGE: .image
            case CMARK_NODE_DOCUMENT: .document
            case CMARK_NODE_PARAGRAPH: .paragraph
            case CMARK_NODE_HEADING: .heading
            case CMARK_NODE_BLOCK_QUOTE: .quote
            case CMARK_NODE_LIST: .list
            case CMARK_NODE_ITEM: .item
            case CMARK_NODE_CODE_BLOCK: .code
            case CMARK_NODE_HTML_BLOCK: .html
            case CMARK_NODE_THEMATIC_BREAK: .rule
            default: extensionKind(of: node)
            }
        }

        /// The numbers of these are given out when the extensions are registered.
        private static func extensionKind(of node: OpaquePointer) -> Kind {
            switch string(cmark_node_get_type_string(node)) {
            case "strikethrough": .strike
            case "table": .table
            case "table_row", "table_header": .row
            case "table_cell": .cell
            default: .other
            }
        }
    }
}
