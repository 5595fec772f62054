// Globals that look like the platform's own: not listed, but free to be replaced.

/// @param {Object<string, unknown>} values
export const define = values => {
  for (const name of Object.keys(values)) {
    Object.defineProperty(globalThis, name, { value: values[name], writable: true, configurable: true, enumerable: false })
  }
}

/// Defines globals that are made together, when a script first asks for one of them: most scripts use few.
/// @param {string[]} names
/// @param {() => Object<string, unknown>} make
export const defineLate = (names, make) => {
  let made
  for (const name of names) {
    const set = value => define({ [name]: value })
    Object.defineProperty(globalThis, name, {
      get() {
        made ??= make()
        set(made[name])
        return made[name]
      },
      set, configurable: true, enumerable: false,
    })
  }
}

/// The same for one global, unless the engine has it.
export const defineMissing = (name, make) => {
  if (!(name in globalThis)) defineLate([name], () => ({ [name]: make() }))
}

/// What reads the engine's own global of a name, also when that was replaced, and without making it before.
/// @returns {(() => any)|undefined}
export const enginesGlobal = name => {
  const property = Object.getOwnPropertyDescriptor(globalThis, name)
  if (property) return property.get ? () => property.get.call(globalThis) : () => property.value
}

/// Takes a handle off the global object.
export const takeGlobal = name => {
  const value = globalThis[name]
  delete globalThis[name]
  return value
}
