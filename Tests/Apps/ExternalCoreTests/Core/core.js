// A small core library for tests. It keeps the contract of a real one and does little behind it: a folder of the device in
// place of encrypted storage, one user with one password, two apps with code and one without.
var core3NWeb = (() => {
  const startup = 'startup.app.privacysafe.io'
  const launcher = 'launcher.app.privacysafe.io'
  const utf8 = text => new TextEncoder().encode(text)
  const text = bytes => new TextDecoder().decode(bytes)

  /// What the components of apps are made of.
  const code = {
    '/background.mjs': "const answer = await w3n.log('info', 'hello from the background'); // the last line is a comment",
    '/throws.mjs': "throw new Error('on purpose')",
    '/syntax.mjs': 'this is no script',
    '/large.bin': 'x'.repeat(300_000),
  }

  const init = async ({ dataDir }, platform) => {
    const fs = platform.device_fs
    await fs.mkdir(`${dataDir}/util`, { recursive: true })
    const logged = []
    const connectors = new Map()
    let lastConnector = 1
    let startupConnector
    let user
    let tellUser
    const signedIn = new Promise(resolve => { tellUser = resolve })
    let startsAutomatically = false

    const newConnector = (domain, w3n) => {
      const id = String(++lastConnector)
      connectors.set(id, { domain, w3n })
      return id
    }

    const autoLogin = `${dataDir}/util/autologin.json`
    const signIn = async name => {
      user = name
      if (startsAutomatically) {
        const key = await platform.keystore.encrypt('login-key', utf8(name))
        await fs.writeFile(autoLogin, JSON.stringify([{ userId: name, packedKey: key.toBase64() }]))
      }
      if (startupConnector) await platform.ui.closeAppActivity('init')
      tellUser(name)
    }

    const userOfAutoLogin = async () => {
      try {
        const [{ packedKey }] = JSON.parse(await fs.readFile(autoLogin, 'utf8'))
        return text(await platform.keystore.decrypt('login-key', Uint8Array.fromBase64(packedKey)))
      } catch {
        return undefined
      }
    }

    /// What tests make the core do, as the page of the startup app would.
    const commands = {
      specs: () => runDeviceSpecs(fs, dataDir),
      logged: () => logged,
      signIn: async ({ name, password, automatic }) => {
        if (password !== 'right') return false
        startsAutomatically = automatic === true
        await signIn(name)
        return true
      },
      request: options => platform.httpRequest(options).then(({ status, data, headers }) =>
        ({ status, data, headers: Object.fromEntries(headers) })),
      keystore: async ({ value }) => text(await platform.keystore.decrypt('login-key',
        await platform.keystore.encrypt('login-key', utf8(value)))),
      scrypt: async ({ logN, r, p }) => {
        const percents = []
        const key = await platform.cryptor.scrypt(utf8('pleaseletmein'), utf8('SodiumChloride'), logN, r, p, 32,
          percent => percents.push(percent))
        return { key: key.toHex(), percents }
      },
      box: async ({ message }) => {
        const [k, n] = [await platform.random(32), await platform.random(24)]
        const c = await platform.cryptor.sbox.pack(utf8(message), n, k)
        const opened = text(await platform.cryptor.sbox.open(c, n, k))
        c[0] ^= 1
        const failure = await platform.cryptor.sbox.open(c, n, k).catch(error => error)
        return { opened, failure }
      },
      socket: async ({ url, messages, closesWith }) => {
        const { status, socket } = await platform.openWebSocket(url, 'session')
        if (!socket) return { status }
        const heard = []
        const states = []
        socket.watchStatus({ next: ({ type }) => states.push(type) })
        const end = new Promise(resolve => socket.watch({
          next: message => {
            heard.push(message)
            if (heard.length === messages.length) socket.close(closesWith)
          },
          complete: () => resolve('complete'), error: ({ code }) => resolve(code),
        }))
        for (const message of messages) socket.send(message)
        return { status, heard, end: await end, states }
      },
      online: () => platform.connectivity.isOnline(),
      scan: () => platform.scanUrlQR(['w3n:']),
      assets: async ({ path }) => ({
        list: await platform.assets.listFolder(false, ''), content: text(await platform.assets.readBytes(false, path)),
      }),
      open: ({ url }) => platform.openExternal(url),
      errorBox: ({ title }) => platform.ui.showSystemErrorBox(title, 'content'),
      startComponent: async ({ entrypoint, domain = 'background.example' }) => {
        const id = newConnector(domain, { log: line => logged.push(line), closeSelf: () => {} })
        await platform.startComponent(id, domain, entrypoint)
        return id
      },
      showComponent: async ({ domain }) => {
        const id = newConnector(domain, {})
        await platform.ui.startAppActivity(id, domain, '/index.html')
        return id
      },
      closed: () => [...connectors.values()].filter(({ isClosed }) => isClosed).map(({ domain }) => domain),
      exit: () => platform.ui.exitAll(),
      fail: () => { throw new Error('on purpose') },
      stall: () => new Promise(() => {}),
    }

    /// The page of the startup app speaks JSON with the tests.
    const serveCommands = port => port.onMessage(async bytes => {
      const { id, command, options } = JSON.parse(text(bytes))
      let reply
      try {
        reply = { id, result: await commands[command](options ?? {}) }
      } catch (error) {
        reply = { id, error: error?.runtimeException ? error : String(error?.message ?? error) }
      }
      port.send(utf8(JSON.stringify(reply)))
    })

    return {
      attachComponentPortToConnector(id, port) {
        const connector = connectors.get(id)
        if (!connector) throw new Error(`there is no connector ${id}`)
        if (connector.w3n) serveObjects(port, connector.w3n)
        else serveCommands(port)
      },
      listObjPathInConnector(id, path) {
        const { w3n } = connectors.get(id) ?? {}
        return path.length === 1 && path[0] === 'w3n' && w3n ? Object.keys(w3n) : undefined
      },
      getSignedUserIdEventually: () => signedIn,
      isBundledApp: domain => domain === startup || domain === launcher,
      onComponentClosedInAndroid(id) {
        const connector = connectors.get(id)
        if (connector) connector.isClosed = true
      },
      getFileSizeInAppCodeFS: (id, path) => code[path]?.length,
      readBytesFromFileInAppCodeFS: (id, path, start, end) => utf8(code[path]?.slice(start, end) ?? ''),
      async launchAppFromAndroid(domain) {
        if (domain === 'stalls.example') await commands.stall()
        if (user) {
          if (domain === startup) throw new Error('someone is signed in')
          return { connectorId: newConnector(domain, {}), entrypoint: '/index.html' }
        }
        if (domain !== startup) throw new Error('nobody is signed in')
        if (startupConnector) throw new Error('login is in progress')
        startupConnector = 'pending'
        const known = await userOfAutoLogin()
        if (known) {
          startupConnector = undefined
          await signIn(known)
          return { connectorId: 'proceed-to-launcher', entrypoint: 'not-set' }
        }
        startupConnector = newConnector(startup)
        return { connectorId: startupConnector, entrypoint: '/index.html' }
      },
      processURL: url => { logged.push(`url ${url}`) },
      processURLBeforeLogin: url => url.includes('/signup/') ? 'c2lnbnVw' : undefined,
    }
  }

  return { init }
})()
