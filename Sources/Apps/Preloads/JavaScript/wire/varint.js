// Whole numbers as protobuf has them: seven bits a byte.

export const varintLength = number => {
  let length = 1
  for (; number >= 0x80; number = Math.floor(number / 128)) length++
  return length
}

/// Writes a number of at most 53 bits, and returns the position after it.
export const putVarint = (number, bytes, position) => {
  for (; number > 0x7fffffff; number = Math.floor(number / 128)) bytes[position++] = number % 128 | 0x80
  for (; number > 0x7f; number >>>= 7) bytes[position++] = number & 0x7f | 0x80
  bytes[position++] = number
  return position
}
