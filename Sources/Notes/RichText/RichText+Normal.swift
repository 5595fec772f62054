extension RichText {
    /// The same document with as few runs as can tell it: neighbours with the same marks are one, and none is empty.
    public var normalized: RichText { RichText(blocks.map(\.normalized)) }
}

extension RichText.Node {
    var element: RichText.Element? {
        if case .element(let element) = self { element } else { nil }
    }

    var normalized: RichText.Node {
        switch self {
        case .text(let runs): .text(runs.joined())
        case .element(let element):
            .element(.init(element.name, element.attributes, element.children.map(\.normalized)))
        }
    }

    /// How many levels there are; one for a text.
    var depth: Int {
        switch self {
        case .text: 1
        case .element(let element): 1 + (element.children.lazy.map(\.depth).max() ?? 0)
        }
    }
}

extension RichText.Run {
    var text: String? {
        if case .text(let text) = content { text } else { nil }
    }

    /// UTF-16 code units; an embedded value counts as one.
    var length: Int {
        switch content {
        case .text(let text): text.utf16.count
        case .embed: 1
        }
    }
}

extension [RichText.Run] {
    /// Without empty runs, and with neighbours of the same marks made one.
    func joined() -> [RichText.Run] {
        var joined: [RichText.Run] = []
        for run in self where run.text != "" {
            if let last = joined.last, let before = last.text, let text = run.text, last.marks == run.marks {
                joined[joined.count - 1].content = .text(before + text)
            } else {
                joined.append(run)
            }
        }
        return joined
    }
}
