/**
 * A rounded amount as JSON writes it, several times as fast as the shortest text of any double is found:
 * the digits are those of an integer. 12.5 in thousandths -> "12.5"; 0.000001 in millionths -> "0.000001".
 */
export function thousandthsText(amount: number): string {
  const scaled = Math.round(amount * 1e3)
  if (!(scaled >= 0 && scaled < mostScaled)) return JSON.stringify(amount)
  const whole = Math.floor(scaled / 1e3)
  return (wholes[whole] ?? String(whole)) + trimmed[scaled - whole * 1e3]!
}

export function millionthsText(amount: number): string {
  const scaled = Math.round(amount * 1e6)
  if (!(scaled >= 0 && scaled < mostScaled)) return JSON.stringify(amount)
  const whole = Math.floor(scaled / 1e6)
  const rest = scaled - whole * 1e6
  const high = Math.floor(rest / 1e3)
  const low = rest - high * 1e3
  const text = wholes[whole] ?? String(whole)
  return low === 0 ? text + trimmed[high]! : text + padded[high]! + undotted[low]!
}

/** Beyond this a double does not hold all the digits. */
const mostScaled = 2 ** 52

const wholes = Array.from({ length: 2000 }, (_, n) => String(n))
const padded = Array.from({ length: 1000 }, (_, n) => `.${String(n).padStart(3, '0')}`)
const trimmed = padded.map((text) => text.replace(/\.?0+$/, ''))
const undotted = trimmed.map((text) => text.slice(1))
