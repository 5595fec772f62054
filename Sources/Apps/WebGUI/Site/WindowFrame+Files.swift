/// The style and the scripts of windows: nothing in them is of an app.
extension WindowFrame {
    static let style = """
        :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
        html, body { height: 100%; margin: 0; }
        body { display: flex; flex-direction: column; background: Canvas; color: CanvasText; }
        h1, h2, h3 { margin: 0; font-size: inherit; }
        button { font: inherit; color: inherit; min-height: 32px; padding: 4px 12px; border-radius: 6px; cursor: pointer;
          border: 1px solid color-mix(in srgb, CanvasText 55%, Canvas); background: Canvas; }
        button:hover { background: color-mix(in srgb, CanvasText 8%, Canvas); }
        :focus-visible { outline: 2px solid light-dark(#1f6f5c, #7fd6bd); outline-offset: 2px; }
        .line { display: flex; align-items: center; gap: 4px 8px; padding: 4px 8px 4px 16px;
          border-block-end: 1px solid color-mix(in srgb, CanvasText 18%, Canvas);
          background: color-mix(in srgb, CanvasText 5%, Canvas); }
        .line h1 { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .line span { flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
          color: color-mix(in srgb, CanvasText 75%, Canvas); }
        .line button { flex: none; }
        main { flex: 1; min-height: 0; display: flex; }
        iframe { flex: 1; border: 0; }
        iframe[hidden], iframe ~ .end { display: none; }
        .end { margin: auto; padding: 24px; text-align: center; }
        dialog { box-sizing: border-box; width: min(440px, 100vw - 16px); max-height: calc(100vh - 16px); margin: 8px 8px auto auto;
          padding: 0; overflow: auto; border: 1px solid color-mix(in srgb, CanvasText 35%, Canvas); border-radius: 10px;
          background: Canvas; color: CanvasText; }
        dialog::backdrop { background: rgb(0 0 0 / 40%); }
        dialog > * { padding: 8px 16px; }
        dialog > p:empty { display: none; }
        dialog .head { display: flex; align-items: center; justify-content: space-between; gap: 8px; }
        dialog h2 { font-size: 16px; overflow-wrap: anywhere; }
        dialog .foot { padding-block-end: 16px; }
        dialog ul, dialog ol { list-style: none; margin: 0; padding: 0; }
        section p { margin: 4px 0; color: color-mix(in srgb, CanvasText 75%, Canvas); }
        [role=switch] { display: flex; align-items: center; justify-content: space-between; gap: 12px; width: 100%;
          padding: 8px 0; border: 0; text-align: start; }
        [role=switch] small { display: block; color: color-mix(in srgb, CanvasText 75%, Canvas); }
        [role=switch] > span { min-width: 0; overflow-wrap: anywhere; }
        [role=switch] i { flex: none; width: 36px; height: 20px; border-radius: 10px; box-sizing: border-box;
          border: 2px solid color-mix(in srgb, CanvasText 60%, Canvas); }
        [role=switch] i::after { content: ''; display: block; width: 12px; height: 12px; margin: 2px; border-radius: 50%;
          background: color-mix(in srgb, CanvasText 60%, Canvas); }
        [role=switch][aria-checked=true] i { background: light-dark(#1f6f5c, #7fd6bd); border-color: light-dark(#1f6f5c, #7fd6bd); }
        [role=switch][aria-checked=true] i::after { margin-inline-start: 18px; background: Canvas; }
        [role=switch][aria-busy=true] { opacity: 0.6; }
        #log { max-height: 30vh; overflow: auto; font: 12px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
        #log:empty { display: none; }
        #log span { white-space: pre-wrap; }
        #log time, #log b { color: color-mix(in srgb, CanvasText 75%, Canvas); margin-inline-end: 6px; }
        #problem { margin: 0; color: light-dark(#b3261e, #ffb4ab); }
        #stop { width: 100%; color: light-dark(#b3261e, #ffb4ab); border-color: currentColor; }
        """

    /// The app's setup script tells when its connection has ended. An app that says so itself only removes itself.
    static let script = """
        const frame = document.querySelector('iframe')
        const status = document.querySelector('[role=status]')
        const close_ = document.querySelector('#close')
        const menu = document.querySelector('dialog')
        function ended(text = status.dataset.text) {
          if (!frame.isConnected) return
          frame.remove()
          menu?.close()
          document.querySelector('#open')?.remove()
          status.textContent = text
          close_.hidden = false
          close_.focus()
        }
        addEventListener('message', ({ source, data }) => {
          if (source === frame.contentWindow && data === 'w3n-ended') ended()
        })
        // A browser closes only what a script has opened, and says nothing otherwise.
        close_.addEventListener('click', () => {
          window.close()
          setTimeout(() => {
            close_.remove()
            status.textContent = close_.dataset.text
          }, 500)
        })
        """

    /// The menu asks the window's own server, and only while it is open. What the app is called, asks for and says is text.
    static let menuScript = """
        const part = (id) => document.getElementById(id)
        const time = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'medium' })
        const switches = new Map()
        let shown = ''
        let timer
        function make(name, text, properties = {}) {
          const element = Object.assign(document.createElement(name), properties)
          if (text) element.textContent = text
          return element
        }
        const isBusy = (button) => button.getAttribute('aria-busy') === 'true'
        async function command(path) {
          const answer = await fetch(path, { method: 'POST' }).catch(() => undefined)
          return answer?.status
        }
        function drawPermission({ capability, title, detail, isGranted }) {
          let button = switches.get(capability)
          if (!button) {
            const words = make('span', title)
            if (detail) words.append(make('small', detail))
            button = make('button', '', { type: 'button' })
            button.setAttribute('role', 'switch')
            const knob = make('i')
            knob.setAttribute('aria-hidden', 'true')
            button.append(words, knob)
            button.addEventListener('click', () => turn(capability, button))
            const item = make('li')
            item.append(button)
            part('may').append(item)
            switches.set(capability, button)
          }
          if (!isBusy(button)) button.setAttribute('aria-checked', String(isGranted))
        }
        async function turn(capability, button) {
          if (isBusy(button)) return
          button.setAttribute('aria-busy', 'true')
          const granted = button.getAttribute('aria-checked') !== 'true'
          const status = await command(`/menu/permission?capability=${encodeURIComponent(capability)}&granted=${granted}`)
          button.removeAttribute('aria-busy')
          if (status === 204) button.setAttribute('aria-checked', String(granted))
          part('problem').textContent = status === 204 ? '' : part('problem').dataset.text
          await draw()
        }
        function drawLines(lines) {
          const text = JSON.stringify(lines)
          if (text === shown) return
          shown = text
          const log = part('log')
          const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4
          log.replaceChildren(...lines.map((line) => {
            const item = make('li')
            item.append(make('time', time.format(line.time)))
            if (log.dataset[line.level]) item.append(make('b', log.dataset[line.level]))
            const words = make('span')
            words.append(make('bdi', line.text))
            item.append(words)
            return item
          }))
          if (isAtEnd) log.scrollTop = log.scrollHeight
        }
        const read = async () => {
          const answer = await fetch('/menu')
          if (!answer.ok) throw new Error(answer.status)
          return answer.json()
        }
        // An answer that comes after the next question was asked is out of date.
        let questions = 0
        async function draw() {
          clearTimeout(timer)
          const question = ++questions
          const state = await read().catch(() => undefined)
          if (!menu.open || question !== questions) return
          if (state) {
            const { permissions, lines } = state
            permissions.forEach(drawPermission)
            drawLines(lines)
            part('harmless').hidden = permissions.length > 0
            part('silent').hidden = lines.length > 0
          }
          timer = setTimeout(draw, 1000)
        }
        const pause = (time) => new Promise((done) => setTimeout(done, time))
        async function stop(text) {
          if (part('stop').disabled) return
          part('stop').disabled = true
          // The app may say that it has ended before the answer is here.
          const usual = status.dataset.text
          status.dataset.text = text ?? usual
          const answer = await command('/menu/stop')
          if (answer === 204) return ended()
          // The server ends with the app, perhaps before its answer is here. One that is only busy still has the window's work.
          if (answer === undefined) {
            await pause(1000)
            if (!await read().catch(() => undefined)) return ended()
          }
          status.dataset.text = usual
          part('stop').disabled = false
          part('problem').textContent = part('problem').dataset.text
        }
        // A browser lets a frame take the focus, also beneath a dialog. Where nothing of it is drawn, nothing in it can have the
        // focus; one that takes it as a whole, again and again, would keep a person with a keyboard from stopping it.
        const mostThefts = 10
        let thefts = 0
        let focused = part('open')
        // From the button of the menu, the focus may go to the app by a click or by a key, too. Where it stayed for less than a
        // second, again and again, nobody could have opened the menu with keys: then the app has taken it.
        const shortStay = 1000
        const mostShortStays = 2
        let reached = -Infinity
        let shortStays = 0
        function isTheft() {
          if (menu.open || frame.hidden) return true
          shortStays = performance.now() - reached < shortStay ? shortStays + 1 : 0
          reached = -Infinity
          return shortStays > mostShortStays
        }
        function show() {
          frame.hidden = false
          thefts = shortStays = 0
          reached = -Infinity
        }
        menu.addEventListener('focusin', ({ target }) => { focused = target })
        part('open').addEventListener('focus', ({ target }) => {
          reached = performance.now()
          focused = target
        })
        part('open').addEventListener('keydown', ({ key }) => { if (key === 'Tab') show() })
        document.querySelector('main').addEventListener('pointerdown', show)
        addEventListener('blur', () => setTimeout(() => {
          if (document.activeElement !== frame || !isTheft()) return
          frame.hidden = true
          thefts += 1
          if (thefts > mostThefts) return void stop(menu.dataset.stolen)
          focused.focus()
        }))
        menu.addEventListener('close', show)
        part('open').addEventListener('click', () => {
          part('problem').textContent = ''
          thefts = 0
          menu.showModal()
          void draw()
        })
        part('hide').addEventListener('click', () => menu.close())
        menu.addEventListener('click', ({ target }) => { if (target === menu) menu.close() })
        part('stop').addEventListener('click', () => void stop())
        """
}
