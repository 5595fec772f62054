// What the Swift side tells apart: `code` names the case of its error.
export class Failure extends Error {
  constructor (code, message) {
    super(message)
    this.name = code
  }
}
