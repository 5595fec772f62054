// Bytes as base64 text, for transports that carry only text.

const piece = 8190

/// @param {Uint8Array} bytes
export const toBase64 = bytes => {
  let text = ''
  // A multiple of three bytes at once has no padding.
  for (let start = 0; start < bytes.length; start += piece) {
    text += btoa(String.fromCharCode.apply(null, bytes.subarray(start, start + piece)))
  }
  return text
}

/// @param {string} text
export const fromBase64 = text => Uint8Array.from(atob(text), character => character.charCodeAt(0))
