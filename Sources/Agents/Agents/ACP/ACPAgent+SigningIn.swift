internal import AgentProtocols
internal import Errors
internal import Wire

/// A way in which a person can sign in with an agent, in the agent's words.
package struct AgentLogin: Sendable, Hashable {
    /// What the agent calls it.
    package var id: String
    package var name: String
    /// What it is about; empty if the agent does not say.
    package var about: String
}

// Signing in, in place of a session: agents that ask a service of their own want to know for whom.

extension ACPAgent {
    /// Starts the agent, and asks how one can sign in with it.
    /// - Returns: at most ``AgentLimits/elements`` ways; none where the agent needs no signing in, or has its own program for that.
    package func logins() async throws(AgentError) -> [AgentLogin] {
        try await launch()
        let methods = try await greeting().array("authMethods").compactMap(\.object)
        return methods.prefix(AgentLimits.elements).compactMap { method in
            method.string("id").map { id in
                AgentLogin(
                    id: id, name: AgentText.name(method.string("name") ?? id),
                    about: AgentText.name(method.string("description") ?? ""))
            }
        }
    }

    /// What the agent said on its standard error behind the first bytes of that, and how many there are: a stranger's words, an address to open perhaps.
    package func log(after count: Int) -> (text: [UInt8], count: Int) {
        process?.standardError(after: count) ?? ([], count)
    }

    /// Signs in, after ``logins()``. The agent may open a browser, and waits for the person there.
    /// - Throws: `refused` if the agent says no, `silent` if it says nothing for ``AgentLimits/loginPatience``.
    package func signIn(with id: String) async throws(AgentError) {
        _ = try await ask(.authenticate, ["methodId": .string(id)], within: AgentLimits.loginPatience)
    }
}
