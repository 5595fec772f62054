// Globals that look like the platform's own: not listed, but free to be replaced.

/// @param {Object<string, unknown>} values
export const define = values => {
  for (const name of Object.keys(values)) {
    Object.defineProperty(globalThis, name, { value: values[name], writable: true, configurable: true, enumerable: false })
  }
}

/// Defines those that the engine does not have; each is made when a script first asks for it.
/// @param {Object<string, () => unknown>} makers
export const defineMissing = makers => {
  for (const name of Object.keys(makers)) {
    if (name in globalThis) continue
    const set = value => define({ [name]: value })
    Object.defineProperty(globalThis, name, {
      get() {
        const value = makers[name]()
        set(value)
        return value
      },
      set, configurable: true, enumerable: false,
    })
  }
}

/// Takes a handle off the global object.
export const takeGlobal = name => {
  const value = globalThis[name]
  delete globalThis[name]
  return value
}
