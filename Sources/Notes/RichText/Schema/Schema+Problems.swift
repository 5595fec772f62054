extension Schema {
    /// A place of a document that breaks the schema.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Where the element is that breaks the rule.
        public var path: RichText.Path
        /// The rule that is broken, for people.
        public var rule: String

        public var description: String { "\(path.map(String.init).joined(separator: ".")): \(rule)" }
    }

    /// All places where a document breaks the schema; none if it may be written.
    public static func problems(in document: RichText) -> [Problem] {
        var check = Check()
        check.children(document.blocks, of: "the document", .blocks, at: [])
        return check.problems
    }

    static func isValidBlock(_ node: RichText.Node) -> Bool {
        var check = Check()
        check.children([node], of: "the document", .blocks, at: [])
        return check.problems.isEmpty
    }

    static func isValidInline(_ node: RichText.Node) -> Bool {
        var check = Check()
        check.children([node], of: "the document", .inline, at: [])
        return check.problems.isEmpty
    }
}

private struct Check {
    var problems: [Schema.Problem] = []

    mutating func children(
        _ nodes: [RichText.Node], of parent: String, _ content: Schema.Content, at path: RichText.Path
    ) {
        switch content {
        case .nothing: require(nodes.isEmpty, at: path, "\(parent) has nothing inside")
        case .blocks:
            require(!nodes.isEmpty, at: path, "\(parent) needs a block")
            elements(nodes, of: parent, among: Schema.blocks, at: path)
        case .elements(let names):
            require(!nodes.isEmpty, at: path, "\(parent) needs \(names.sorted().joined(separator: " or "))")
            elements(nodes, of: parent, among: names, at: path)
        case .item:
            require(nodes.first?.element?.name == "paragraph", at: path, "\(parent) begins with a paragraph")
            elements(nodes, of: parent, among: Schema.blocks, at: path)
        case .inline:
            for (index, node) in nodes.enumerated() {
                switch node {
                case .text(let runs): text(runs, at: path + [index])
                case .element: elements([node], of: parent, among: Schema.inlines, at: path, from: index)
                }
            }
        case .plainText:
            for (index, node) in nodes.enumerated() {
                guard case .text(let runs) = node else {
                    require(false, at: path + [index], "\(parent) has only text inside")
                    continue
                }
                let isPlain = runs.allSatisfy { $0.marks.isEmpty && $0.text != nil }
                require(isPlain, at: path + [index], "text in \(parent) has no marks")
            }
        }
    }

    private mutating func elements(
        _ nodes: [RichText.Node], of parent: String, among names: Set<String>, at path: RichText.Path,
        from start: Int = 0
    ) {
        for (index, node) in nodes.enumerated() {
            let path = path + [start + index]
            guard case .element(let element) = node else {
                require(false, at: path, "\(parent) has no text of its own")
                continue
            }
            guard names.contains(element.name), let rule = Schema.rules[element.name] else {
                require(false, at: path, "\(element.name) does not belong into \(parent)")
                continue
            }
            for (name, value) in element.attributes.sorted(by: { $0.key < $1.key }) where rule.attributes[name] == nil {
                require(value == .null, at: path, "\(element.name) has no attribute \(name)")
            }
            for name in rule.attributes.keys.sorted() {
                let value = element.attributes[name]
                require(
                    rule.admits(value, for: name), at: path,
                    "the attribute \(name) of \(element.name) is wrong or missing")
            }
            children(element.children, of: element.name, rule.content, at: path)
        }
    }

    private mutating func text(_ runs: [RichText.Run], at path: RichText.Path) {
        for run in runs {
            require(run.text != nil, at: path, "text has nothing embedded")
            for (name, value) in run.marks.sorted(by: { $0.key < $1.key }) {
                require(Schema.admits(mark: name, value), at: path, "the mark \(name) is unknown or wrong")
            }
        }
    }

    private mutating func require(_ holds: Bool, at path: RichText.Path, _ rule: @autoclosure () -> String) {
        if !holds { problems.append(Schema.Problem(path: path, rule: rule())) }
    }
}
