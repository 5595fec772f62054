import Errors
import Foundation
import Testing

@testable import Agents

/// Variables for programs that are agents.
@Suite struct AgentVariablesTests {
    @Test func `a file has one in each line, as shells write them`() throws {
        let read = try AgentVariables(
            "# keys\r\n\nA=1\n  export _B2=\"two words\" \nC='$HOME'\nD=\nE=a=b\nF=\"\nA=2\nG=ü\n")
        #expect(
            read.values == [
                "A": "2", "_B2": "two words", "C": "$HOME", "D": "", "E": "a=b", "F": "\"", "G": "ü",
            ])
    }

    @Test(arguments: [
        "A", "=1", "1A=1", "A B=1", "Ä=1", "export A =1", "A=\u{0}", String(repeating: "A=1\n", count: 1025),
    ])
    func `what no program could be given is refused, by its line and not by its words`(text: String) {
        #expect { try AgentVariables("B=sesame\n" + text) } throws: { error in
            (error as? AgentError)?.code == .cannotStart && (error as? AgentError)?.message.contains("sesame") == false
        }
    }

    @Test func `they are not printed with what holds them`() throws {
        let program = AgentProgram(["a"], folder: "/", variables: try AgentVariables("KEY=sesame"))
        var dumped = ""
        dump(program, to: &dumped)
        #expect(!"\(program)".contains("sesame") && !dumped.contains("sesame"))
        #expect(program.environment.contains("KEY=sesame"))
    }

    @Test func `a file that is none is named`() throws {
        for path in ["/nowhere", "/dev/urandom", "/", "/dev/null"] {
            #expect { try AgentVariables.text(ofFile: path) } throws: { error in
                (error as? AgentError)?.code == .cannotStart
            }
        }
    }
}
