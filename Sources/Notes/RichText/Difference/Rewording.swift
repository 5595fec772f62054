extension RichText.Element {
    /// Gives a block of text other words. What stays of the words has the marks that it had; what is new has those that all of the text
    /// had. Elements and embedded values between the words stay, behind the words that are new in their place.
    public mutating func reword(as words: String) {
        let old = TextMerge.pieces(of: children)
        let runs = old.compactMap(\.run)
        let marks = runs.first?.marks.filter { mark in runs.allSatisfy { $0.marks[mark.key] == mark.value } } ?? [:]
        var new: [TextDifference.Piece] = []
        var kept: [TextDifference.Piece] = []
        for step in TextDifference.steps(
            from: old, to: TextDifference.pieces(of: [.init(words, marks)]), cutsWords: true)
        {
            switch step {
            case .retained(let piece, _):
                new += kept + [piece]
                kept = []
            case .inserted(let piece): new.append(piece)
            case .deleted(let piece): if case .text = piece.content { continue } else { kept.append(piece) }
            }
        }
        children = TextMerge.nodes(of: new + kept)
    }
}
