internal import RichText

extension RichText {
    /// The document with every run in the place of which `change` gives another.
    func mappingRuns(_ change: (Run) -> Run) -> RichText {
        RichText(blocks.map { $0.mappingRuns(change) })
    }

    /// The images in it.
    var imageReferences: [ImageReference] { blocks.flatMap(\.imageReferences) }
}

extension RichText.Node {
    fileprivate func mappingRuns(_ change: (RichText.Run) -> RichText.Run) -> RichText.Node {
        switch self {
        case .text(let runs): return .text(runs.map(change))
        case .element(var element):
            element.children = element.children.map { $0.mappingRuns(change) }
            return .element(element)
        }
    }

    fileprivate var imageReferences: [RichText.ImageReference] {
        guard case .element(let element) = self else { return [] }
        if element.name == "notecoveImage", case .string(let image) = element.attributes["imageId"] {
            return [RichText.ImageReference(image: image)]
        }
        return element.children.flatMap(\.imageReferences)
    }
}

extension RichText.Run {
    /// The same with other text.
    func saying(_ text: String) -> RichText.Run { RichText.Run(text, marks) }

    var text: String? { if case .text(let text) = content { text } else { nil } }

    /// Where a link leads.
    var address: String? {
        if case .object(let link) = marks["link"], case .string(let address) = link["href"] { address } else { nil }
    }
}
