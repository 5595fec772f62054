/// Markdown for people's editors: CommonMark with tables and strikethrough, and the spellings of `docs/markdown.md`.
///
/// It shows all that a reader of the note sees. What it does not show (the ids of headings, comment marks, `rel` of
/// links, whatever nobody here knows) comes back when the text is read as an edit of the document it was printed from.
extension RichText {
    /// The ids of an image's file and of the storage directory that has it.
    public struct ImageReference: Hashable, Sendable {
        /// The id of the image's file.
        public var image: String
        /// The id of the storage directory that has the file; nil for the note's own.
        public var storage: String?

        /// A reference to an image, in the note's own storage directory unless `storage` names another.
        public init(image: String, storage: String? = nil) {
            self.image = image
            self.storage = storage
        }
    }

    /// The document as Markdown; empty for an empty document, else with a line feed at the end.
    ///
    /// - Parameters:
    ///   - headingIDs: whether headings show their ids, `{#h_a1b2c3d4}`: for a copy that stands by itself.
    ///   - imageSource: where the file of an image is. For nil the source is `image:` and the ids.
    public func markdown(
        headingIDs: Bool = false, imageSource: @escaping (ImageReference) -> String? = { _ in nil }
    ) -> String {
        MarkdownWriter(showsHeadingIDs: headingIDs, imageSource: imageSource).text(of: self)
    }

    /// Reads Markdown. Any text is some document, and the document always keeps to the schema. HTML is literal text.
    ///
    /// Reading what ``markdown(headingIDs:imageSource:)`` printed gives the document again as far as Markdown shows it.
    ///
    /// - Parameters:
    ///   - markdown: the text, of any length.
    ///   - image: the image behind a source other than `image:`. An unknown image becomes a link.
    public init(markdown: String, image: @escaping (_ source: String) -> ImageReference? = { _ in nil }) {
        self.init(MarkdownReader(image: image).blocks(of: markdown))
    }

    /// Reads Markdown of a whole note that may have the elements that nobody knows of `old`.
    package init(
        markdown: String, knowing old: RichText?, image: @escaping (_ source: String) -> ImageReference?
    ) {
        self.init(MarkdownReader(image: image, known: old?.foreignNodes ?? []).blocks(of: markdown))
    }

    /// Reads Markdown that was printed from `old` and then edited.
    ///
    /// What the edit did not touch is as it was in `old`, with all that Markdown does not show, down to elements that no
    /// schema knows. New elements keep to the schema.
    public init(
        markdown: String, editing old: RichText, image: @escaping (_ source: String) -> ImageReference? = { _ in nil }
    ) {
        let printed = old.markdown()
        let reader = MarkdownReader(image: image, known: old.foreignNodes)
        let (seen, edited) = (reader.blocks(of: printed), reader.blocks(of: markdown))
        self.init(MarkdownMerge.blocks(of: old.blocks, seenAs: seen, editedTo: edited))
    }

    /// All nodes that break the schema, with what is inside of them.
    var foreignNodes: Set<Node> {
        var nodes: Set<Node> = []
        func collect(_ siblings: [Node]) {
            for node in siblings {
                if !Schema.isValidBlock(node), !Schema.isValidInline(node) { nodes.insert(node) }
                if case .element(let element) = node { collect(element.children) }
            }
        }
        if !Schema.problems(in: self).isEmpty { collect(blocks) }
        return nodes
    }
}
