/// One thing that a page has its reader do.
struct PageStep {
    enum Kind {
        /// A line for the shell. `expected` is what it prints, nil where the page does not say; `stays` that it goes on
        /// while the page does: a server, a conversation.
        case command(String, expected: [String]?, stays: Bool)
        /// A line for the program that runs in the terminal.
        case typed(String)
        /// A file with the text of the block.
        case file(String)
    }

    let kind: Kind
    let block: PageBlock
    /// The terminals of a page are told apart by their names. Each is on a machine of its own: it has its own home.
    var terminal: String { block.attributes["terminal"] ?? "" }

    static func steps(of page: Page) throws -> [PageStep] { try page.blocks.flatMap(steps) }

    /// A block that is not to be run has none.
    static func steps(of block: PageBlock) throws -> [PageStep] {
        guard !block.has("not-run") else { return [] }
        if let name = block.attributes["file"] { return [PageStep(kind: .file(name), block: block)] }
        if block.has("typed") { return block.lines.map { PageStep(kind: .typed($0), block: block) } }
        if let command = block.attributes["output-of"] {
            return [PageStep(kind: .command(command, expected: block.lines, stays: false), block: block)]
        }
        let commands =
            switch block.language {
            case "sh": script(block.lines)
            case "console": try session(block)
            default: [(String, [String]?)]()
            }
        return commands.enumerated().map { index, command in
            let stays = block.has("stays") && index == commands.count - 1
            return PageStep(kind: .command(command.0, expected: command.1, stays: stays), block: block)
        }
    }

    /// Each line is a command, and has to work.
    private static func script(_ lines: [String]) -> [(String, [String]?)] {
        var commands: [(String, [String]?)] = []
        var isContinued = false
        for line in lines {
            if isContinued {
                commands[commands.count - 1].0 += "\n" + line
            } else if line.contains(where: { !$0.isWhitespace }), !line.hasPrefix("#") {
                commands.append((line, nil))
            } else {
                continue
            }
            isContinued = line.hasSuffix("\\")
        }
        return commands
    }

    /// What stands behind `$ ` is a command, and what follows is all that it prints.
    private static func session(_ block: PageBlock) throws -> [(String, [String]?)] {
        var commands: [(String, [String]?)] = []
        for line in block.lines {
            if line.hasPrefix("$ ") {
                commands.append((String(line.dropFirst(2)), nil))
            } else if let last = commands.last, last.1 == nil, last.0.hasSuffix("\\") {
                commands[commands.count - 1].0 += "\n" + line
            } else if !commands.isEmpty {
                commands[commands.count - 1].1 = (commands[commands.count - 1].1 ?? []) + [line]
            } else {
                throw PageBlock.Mistake(block, "a session begins with \"$ \"")
            }
        }
        return commands
    }
}
