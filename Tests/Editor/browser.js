// Drives Chromium over a pipe with its DevTools protocol, and serves it one page under the policy that the real page has.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const policy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "require-trusted-types-for 'script'",
  'trusted-types ProseMirrorClipboard'
].join('; ')

const page = '<!doctype html><title>Editor</title><link rel="stylesheet" href="/page.css"><main></main>' +
  '<script type="module" src="/page.js"></script>'

const serve = async script => {
  const server = createServer(async (request, response) => {
    const [type, body] = await {
      '/': () => ['text/html; charset=utf-8', page],
      '/page.js': async () => ['text/javascript', await readFile(script)],
      '/page.css': async () => ['text/css', await readFile('Web/editor/editor.css')]
    }[request.url]?.() ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy })
    response.end(body)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** Opens a page with a script; answers what to do with it. */
export const openPage = async script => {
  const server = await serve(script)
  const profile = await mkdtemp(join(tmpdir(), 'editor-'))
  const browser = spawn('chromium', [
    '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'
  ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const ended = new Promise(resolve => browser.once('exit', resolve))

  let lastID = 0
  const waiting = new Map()
  const events = []
  let unread = ''
  browser.stdio[4].setEncoding('utf8').on('data', data => {
    const messages = (unread + data).split('\0')
    unread = messages.pop()
    for (const message of messages.map(text => JSON.parse(text))) {
      if (message.id === undefined) events.push(message)
      else {
        const { resolve, reject } = waiting.get(message.id)
        waiting.delete(message.id)
        if (message.error) reject(new Error(message.error.message))
        else resolve(message.result)
      }
    }
  })
  const send = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
    waiting.set(++lastID, { resolve, reject })
    browser.stdio[3].write(JSON.stringify({ id: lastID, method, params, sessionId }) + '\0')
  })

  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const call = (method, params) => send(method, params, sessionId)
  await call('Runtime.enable')
  await call('Log.enable')
  await call('Page.enable')
  await call('Page.navigate', { url: `http://127.0.0.1:${server.address().port}/` })

  const evaluate = async expression => {
    const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  const until = async expression => {
    for (let tries = 0; tries < 600; tries++) {
      if (await evaluate(expression).catch(() => false)) return
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    throw new Error(`never true: ${expression}`)
  }
  const key = async (name, { text, modifiers = 0, code = '', keyCode = 0 } = {}) => {
    const params = { key: name, code, modifiers, windowsVirtualKeyCode: keyCode }
    await call('Input.dispatchKeyEvent', { type: text ? 'keyDown' : 'rawKeyDown', ...params, text })
    await call('Input.dispatchKeyEvent', { type: 'keyUp', ...params })
  }
  return {
    call,
    evaluate,
    until,
    key,
    type: async text => { for (const letter of text) await key(letter, { text: letter }) },
    /** What the page complained about. */
    complaints: () => events
      .filter(({ method }) => method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded')
      .map(({ params }) => params.exceptionDetails?.exception?.description ?? params.entry?.text),
    close: async () => {
      browser.kill()
      await ended
      server.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  }
}
