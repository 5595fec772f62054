internal import RichText

extension RichText {
    /// The document with each run replaced by what `change` returns for it, if it returns one.
    func mappingRuns(_ change: (_ run: Run, _ isCode: Bool) -> Run) -> RichText {
        RichText(blocks.map { $0.mappingRuns(isCode: false, change) })
    }

    /// The document with each element replaced by what `change` returns for it, if it returns one. The children of a replacement are not visited.
    func mappingElements(_ change: (Element) -> Element) -> RichText {
        RichText(blocks.map { $0.mappingElements(change) })
    }

    /// The images in it.
    var imageReferences: [ImageReference] { blocks.flatMap(\.imageReferences) }
}

extension RichText.Node {
    fileprivate func mappingRuns(
        isCode: Bool, _ change: (RichText.Run, Bool) -> RichText.Run
    ) -> RichText.Node {
        switch self {
        case .text(let runs): return .text(runs.map { change($0, isCode || $0.marks["code"] != nil) })
        case .element(var element):
            let isCode = isCode || element.name == "codeBlock"
            element.children = element.children.map { $0.mappingRuns(isCode: isCode, change) }
            return .element(element)
        }
    }

    fileprivate func mappingElements(_ change: (RichText.Element) -> RichText.Element) -> RichText.Node {
        guard case .element(let element) = self else { return self }
        var changed = change(element)
        changed.children = element.children.map { $0.mappingElements(change) }
        return .element(changed)
    }

    fileprivate var imageReferences: [RichText.ImageReference] {
        guard case .element(let element) = self else { return [] }
        if element.name == "notecoveImage", case .string(let image) = element.attributes["imageId"] {
            return [RichText.ImageReference(image: image, storage: element.attributes["sdId"]?.string)]
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

/// A heading as it is compared: letters and digits in lower case, and a space for what is between them. `Two words!` and the
/// `two-words` of an address are the same.
func comparableHeading(_ text: String) -> String {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    return words.isEmpty ? text.lowercased() : words
}
