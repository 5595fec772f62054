// A core that knows one person, for the command that runs cores: its startup app offers `w3n.signIn` and nothing else.
var core3NWeb = (() => {
  const utf8 = text => new TextEncoder().encode(text)
  const text = bytes => new TextDecoder().decode(bytes)

  // The least of the object IPC: fields of protobuf messages, lengths and numbers below 128 * 128.
  const varint = value => (value < 128 ? [value] : [value % 128 | 128, value >> 7])
  const field = (number, bytes) => [number << 3 | 2, ...varint(bytes.length), ...bytes]
  const fields = bytes => {
    const found = []
    let at = 0
    const number = () => {
      let byte = bytes[at++]
      let value = byte & 127
      for (let shift = 7; byte > 127; shift += 7) value |= ((byte = bytes[at++]) & 127) << shift
      return value
    }
    while (at < bytes.length) {
      const key = number()
      if ((key & 7) === 0) found.push([key >> 3, number()])
      else {
        const length = number()
        found.push([key >> 3, bytes.subarray(at, at += length)])
      }
    }
    return found
  }
  const all = (bytes, number) => fields(bytes ?? []).filter(([found]) => found === number).map(([, value]) => value)

  const serve = (port, functions) => port.onMessage(bytes => {
    const [headers] = all(bytes, 1)
    if (text(all(headers, 1)[0]) !== 'start') return
    const call = all(all(headers, 2)[0], 1)[0]
    const values = all(all(all(bytes, 2)[0], 1)[0], 1).map(value => JSON.parse(text(all(value, 1)[0])))
    const say = (kind, value) => {
      const head = field(1, [...field(1, utf8(kind)), ...field(2, [8, ...varint(call)])])
      const body = value === undefined ? [] : field(2, field(1, field(1, field(1, utf8(JSON.stringify(value))))))
      port.send(Uint8Array.from([...head, ...body]))
    }
    functions[text(all(headers, 3).at(-1))](say, ...values)
  })

  const init = () => {
    let tellUser
    const signedIn = new Promise(resolve => { tellUser = resolve })
    let user
    const signIn = {
      getUsersOnDisk: say => say('end', ['ann@example.org']),
      useExistingStorage: (say, address, pass) => {
        say('interim', 50)
        const isRight = pass === 'right'
        say('interim', { p: 100, decrResult: isRight })
        say('end')
        if (isRight) tellUser(user = address)
      },
    }
    let last = 1
    return {
      attachComponentPortToConnector: (id, port) => serve(port, signIn),
      listObjPathInConnector: () => ['signIn'],
      getSignedUserIdEventually: () => signedIn,
      isBundledApp: () => false,
      onComponentClosedInAndroid: () => {},
      getFileSizeInAppCodeFS: () => undefined,
      readBytesFromFileInAppCodeFS: () => undefined,
      launchAppFromAndroid: () => ({ connectorId: String(++last), entrypoint: '/index.html' }),
      processURL: () => {},
      processURLBeforeLogin: () => undefined,
    }
  }

  return { init }
})()
