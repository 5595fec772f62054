/// Writes the tree of an expression out as instructions.
struct RegularExpressionCompiler {
    private var program: [RegularExpression.Instruction] = []

    static func program(
        for node: RegularExpressionParser.Node
    ) throws(RegularExpression.Malformed) -> [RegularExpression.Instruction] {
        var compiler = RegularExpressionCompiler()
        try compiler.write(node)
        try compiler.emit(.match)
        return compiler.program
    }

    private mutating func emit(_ instruction: RegularExpression.Instruction) throws(RegularExpression.Malformed) {
        guard program.count < RegularExpression.instructionLimit else {
            throw RegularExpression.Malformed(reason: "the expression is too long")
        }
        program.append(instruction)
    }

    private mutating func write(_ node: RegularExpressionParser.Node) throws(RegularExpression.Malformed) {
        switch node {
        // Even nothing takes a place, so that the limit holds for any number of it.
        case .nothing: try emit(.jump(program.count + 1))
        case .character(let set): try emit(.character(set))
        case .start: try emit(.start)
        case .end: try emit(.end)
        case .sequence(let nodes): for node in nodes { try write(node) }
        case .choice(let nodes): try writeChoice(nodes)
        case .repetition(_, _, .some(0)): try emit(.jump(program.count + 1))
        case .repetition(let node, let least, let most):
            for _ in 0..<least { try write(node) }
            guard let most else { return try writeLoop(node) }
            for _ in least..<most { try writeOptional(node) }
        }
    }

    private mutating func writeChoice(_ nodes: [RegularExpressionParser.Node]) throws(RegularExpression.Malformed) {
        var jumps: [Int] = []
        for node in nodes.dropLast() {
            let split = program.count
            try emit(.jump(0))
            try write(node)
            jumps.append(program.count)
            try emit(.jump(0))
            program[split] = .split(split + 1, program.count)
        }
        if let last = nodes.last { try write(last) }
        for jump in jumps { program[jump] = .jump(program.count) }
    }

    private mutating func writeLoop(_ node: RegularExpressionParser.Node) throws(RegularExpression.Malformed) {
        let split = program.count
        try emit(.jump(0))
        try write(node)
        try emit(.jump(split))
        program[split] = .split(split + 1, program.count)
    }

    private mutating func writeOptional(_ node: RegularExpressionParser.Node) throws(RegularExpression.Malformed) {
        let split = program.count
        try emit(.jump(0))
        try write(node)
        program[split] = .split(split + 1, program.count)
    }
}
