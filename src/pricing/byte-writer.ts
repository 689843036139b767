/**
 * JSON text written as bytes into a place that is known to be large enough: an answer of sixty offers is mostly text
 * that was written before, and copying it costs a fraction of joining strings and encoding them.
 *
 * Short pieces and digits are stored four bytes at a time; what a last word stores beyond its piece, the next piece
 * overwrites. So there must be room for slackBytes more than what is put.
 */
export class ByteWriter {
  length = 0
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  put(piece: Uint8Array): void {
    this.#bytes.set(piece, this.length)
    this.length += piece.length
  }

  putWords({ words, length }: Words): void {
    const at = this.length
    for (let i = 0; i < words.length; i++) this.#view.setUint32(at + i * 4, words[i]!, true)
    this.length = at + length
  }

  /** At most three bytes for each unit of the text. */
  putText(text: string): void {
    if (text.length <= shortText && this.#putAscii(text)) return
    this.length += encoder.encodeInto(text, this.#bytes.subarray(this.length)).written
  }

  /**
   * An amount rounded to thousandths as JSON writes it: 12.5 -> 12.5
   * It is named by its place in an array, for a number that is handed over would be boxed.
   */
  putThousandths(amounts: Float64Array, i: number): void {
    const scaled = Math.round(amounts[i]! * 1e3)
    if (scaled >= 0 && scaled <= mostInteger) {
      const n = scaled | 0
      const whole = (n / 1e3) | 0
      this.length = this.#putFraction(this.#putWhole(this.length, whole), n - whole * 1e3)
    } else this.putText(JSON.stringify(amounts[i]))
  }

  /** The same in millionths: 0.000001 -> 0.000001 */
  putMillionths(amounts: Float64Array, i: number): void {
    const scaled = Math.round(amounts[i]! * 1e6)
    if (scaled >= 0 && scaled <= mostInteger) {
      const n = scaled | 0
      const whole = (n / 1e6) | 0
      const rest = n - whole * 1e6
      const high = (rest / 1e3) | 0
      const low = rest - high * 1e3
      const at = this.#putWhole(this.length, whole)
      if (low === 0) this.length = this.#putFraction(at, high)
      else {
        this.#view.setUint32(at, pointAndThree[high]!, true)
        this.#view.setUint32(at + 4, pointAndThree[low]! >>> 8, true)
        this.length = at + 3 + trimmedLength[low]!
      }
    } else this.putText(JSON.stringify(amounts[i]))
  }

  /** False where the text holds more than ASCII. */
  #putAscii(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code > lastAscii) return false
      this.#bytes[this.length + i] = code
    }
    this.length += text.length
    return true
  }

  #putWhole(at: number, whole: number): number {
    if (whole < 1000) {
      this.#view.setUint32(at, upToThree[whole]!, true)
      return at + (whole < 10 ? 1 : whole < 100 ? 2 : 3)
    }
    const thousands = (whole / 1000) | 0
    const next = this.#putWhole(at, thousands)
    this.#view.setUint32(next, pointAndThree[whole - thousands * 1000]! >>> 8, true)
    return next + 3
  }

  #putFraction(at: number, thousandths: number): number {
    this.#view.setUint32(at, pointAndThree[thousandths]!, true)
    return at + trimmedLength[thousandths]!
  }
}

export const slackBytes = 8
/** The longest a number can be as JSON writes it: -1.2345678901234567e-308 */
export const mostNumberBytes = 24

/** A short piece of ASCII text, ready to be stored. */
export interface Words {
  readonly words: Uint32Array
  readonly length: number
}

export function wordsOf(text: string): Words {
  const words = Array.from({ length: Math.ceil(text.length / 4) }, (_, i) =>
    word(text.slice(i * 4, i * 4 + 4)),
  )
  return { words: Uint32Array.from(words), length: text.length }
}

function word(text: string): number {
  return [...text].reduce((sum, char, i) => sum + char.charCodeAt(0) * 256 ** i, 0)
}

const encoder = new TextEncoder()
/** Up to this length a loop is faster than the encoder. */
const shortText = 64
const lastAscii = 0x7f
/** Up to this many thousandths or millionths are counted in whole numbers of 32 bits. */
const mostInteger = 2 ** 31 - 1

const thousand = Array.from({ length: 1000 }, (_, n) => n)
/** "0" to "999" */
const upToThree = Uint32Array.from(thousand, (n) => word(String(n)))
/** ".000" to ".999" */
const pointAndThree = Uint32Array.from(thousand, (n) => word(`.${String(n).padStart(3, '0')}`))
/** What of these is left without zeros at the end: 0 for ".000", 2 for ".500" */
const trimmedLength = Uint8Array.from(
  thousand,
  (n) => `.${String(n).padStart(3, '0')}`.replace(/\.?0+$/, '').length,
)
