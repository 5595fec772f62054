import Foundation
import Testing

@testable import RichText

/// The editor of the page takes its schema from a file. It has to say what `Schema` says.
@Suite struct EditorSchemaTests {
    private struct File: Decodable {
        var blocks: Set<String>
        var inlines: Set<String>
        var elements: [String: Element]
        var marks: [String: String?]
    }

    private struct Element: Decodable, Equatable {
        var content: Word
        var attributes: [String: Word]?
        var required: String?
    }

    /// A word, words, or the ends of a range.
    private enum Word: Decodable, Equatable {
        case one(String)
        case several([String])
        case range([Int])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let word = try? value.decode(String.self) {
                self = .one(word)
            } else if let words = try? value.decode([String].self) {
                self = .several(words)
            } else {
                self = .range(try value.decode([Int].self))
            }
        }
    }

    private let file: File

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
        let data = try Data(contentsOf: root.appending(path: "Web/editor/schema.json"))
        file = try JSONDecoder().decode(File.self, from: data)
    }

    @Test func elementsAreTheSame() {
        #expect(file.blocks == Schema.blocks)
        #expect(file.inlines == Schema.inlines)
        #expect(Set(file.elements.keys) == Set(Schema.rules.keys))
        for (name, rule) in Schema.rules {
            let attributes = rule.attributes.isEmpty ? nil : rule.attributes.mapValues(word)
            let element = Element(content: word(rule.content), attributes: attributes, required: rule.required)
            #expect(file.elements[name] == element, "\(name)")
        }
    }

    @Test func marksAreTheSame() {
        #expect(file.marks.count == 7)
        for (name, required) in file.marks {
            #expect(Schema.admits(mark: name, .object([:])) == (required == nil), "\(name)")
            if let required { #expect(Schema.admits(mark: name, [required: "x"]), "\(name)") }
        }
    }

    private func word(_ content: Schema.Content) -> Word {
        switch content {
        case .nothing: .one("nothing")
        case .blocks: .one("blocks")
        case .inline: .one("inline")
        case .plainText: .one("plainText")
        case .elements(let names): .several(names.sorted())
        case .item: .one("item")
        }
    }

    private func word(_ attribute: Schema.Attribute) -> Word {
        switch attribute {
        case .string: .one("string")
        case .bool: .one("bool")
        case .integer(let range): .range([range.lowerBound, range.upperBound])
        case .number: .one("number")
        case .oneOf(let choices): .several(choices.sorted())
        case .numbers: .one("numbers")
        }
    }
}
