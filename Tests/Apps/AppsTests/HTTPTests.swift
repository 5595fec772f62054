import AppPacks
import Apps
import Components
import Foundation
import Networking
import Testing

/// `w3n.http`: only the places that the manifest names and the person granted.
@Suite("Apps on the network")
struct HTTPTests {
    private func run(
        _ script: String, fetch: String, granting: Set<Capability>? = nil,
        _ change: (inout AppPlatform.Settings) -> Void = { _ in }
    ) async throws -> [String] {
        let apps = try TestApps()
        defer { apps.remove() }
        let app = try apps.install(
            components: [
                "/main.mjs": """
                {"runtime": "deno", "startCmds": {"go": {}}, "capsRequested": {"logToPlatform": true, "connectToExternal": {"fetch": [\(fetch)]}}}
                """
            ], scripts: ["main.mjs": script + "\nw3n.closeSelf();"], granting: granting)
        let platform = apps.platform(change)
        let lines = try await platform.said(app, "go")
        await platform.close()
        return lines
    }

    @Test("a request brings status, headers and bytes")
    func aRequest() async throws {
        let site = try await WebSite.open()
        site.serve("/tea", "green", headers: ["X-Kind": "leaf"])
        let host = site.url.dropFirst("http://".count)
        let lines = try await run(
            """
            const reply = await w3n.http.request({ method: 'GET', url: '\(site.url)/tea' });
            await w3n.log('info', `${reply.status} ${reply.headers['x-kind']} ${new TextDecoder().decode(reply.body)}`);
            const response = await fetch('\(site.url)/tea', { method: 'POST', body: 'hot' });
            await w3n.log('info', `${response.ok} ${await response.text()}`);
            """, fetch: #"{"schema": "http", "domain": "\#(host)"}"#)
        #expect(lines == ["200 leaf green", "true green"])
        #expect(site.requests.map(\.method) == ["GET", "POST"])
        #expect(site.requests.last?.body == Array("hot".utf8))
        await site.close()
    }

    @Test("a place that the manifest does not name is denied, also after a redirect")
    func otherPlaces() async throws {
        let site = try await WebSite.open()
        let other = try await WebSite.open()
        other.serve("/secret", "secret")
        site.serve("/away", "", status: 302, headers: ["location": other.url + "/secret"])
        let host = site.url.dropFirst("http://".count)
        let lines = try await run(
            """
            for (const url of ['\(other.url)/secret', '\(site.url)/away', 'file:///etc/passwd', 'http://localhost:1/']) {
              try { await w3n.log('error', (await w3n.http.request({ url })).status); } catch (error) { await w3n.log('info', `${error.runtimeException} ${error.type} ${error.detail}`); }
            }
            """, fetch: #"{"schema": "http", "domain": "\#(host)"}"#)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.hasPrefix("true ") })
        // What was refused is where the redirect leads.
        for line in lines.prefix(2) { #expect(line == "true capability \(other.url)/secret") }
        #expect(other.requests.isEmpty)
        await site.close()
        await other.close()
    }

    @Test("any site of the internet is no site of this computer")
    func anyDomainIsNotLoopback() async throws {
        let site = try await WebSite.open()
        site.serve("/", "here")
        let lines = try await run(
            """
            for (const url of ['\(site.url)/', '\(site.url.replacing("127.0.0.1", with: "localhost"))/', '\(site.url.replacing("127.0.0.1", with: "[::ffff:127.0.0.1]"))/', 'http://169.254.169.254/', 'http://10.0.0.1/']) {
              try { await w3n.http.request({ url, timeout: 2000 }); await w3n.log('error', url); } catch (error) { await w3n.log('info', error.type); }
            }
            """, fetch: #"{"schema": "http", "anyDomain": true}"#)
        #expect(lines == Array(repeating: "capability", count: 5))
        #expect(site.requests.isEmpty)
        await site.close()
    }

    @Test("answers take only so much memory of an app, and it comes back")
    func memory() async throws {
        let site = try await WebSite.open()
        site.serve("/big", bytes: [UInt8](repeating: 1, count: 1 << 20))
        site.serve("/tea", "green")
        let host = site.url.dropFirst("http://".count)
        let lines = try await run(
            """
            const ask = async (path) => {
              try { return (await w3n.http.request({ url: '\(site.url)' + path })).body.length; } catch (error) { return `${error.type} ${error.tooMany}`; }
            };
            for (const path of ['/big', '/tea', '/big', '/tea']) await w3n.log('info', `${await ask(path)}`);
            """, fetch: #"{"schema": "http", "domain": "\#(host)"}"#
        ) {
            $0.memoryOfApp = 512 << 10
            $0.assuredToComponent = 0
        }
        #expect(lines == ["http-request true", "5", "http-request true", "5"])
        await site.close()
    }

    @Test("without the grant there is an exception and no request")
    func notGranted() async throws {
        let site = try await WebSite.open()
        let host = site.url.dropFirst("http://".count)
        let lines = try await run(
            """
            try { await w3n.http.request({ url: '\(site.url)/' }); } catch (error) { await w3n.log('info', `${error.notGranted} ${error.capability}`); }
            """, fetch: #"{"schema": "http", "domain": "\#(host)"}"#, granting: [.log])
        #expect(lines == ["true network"])
        #expect(site.requests.isEmpty)
        await site.close()
    }
}
