interface DecimalPrice {
  readonly whole: number
  /** How many digits of it stand after the point; notDecimal where no short decimal is the price. */
  readonly digits: number
}

export const notDecimal = 255
export const maxDigits = 15

/** Prices are decimals of a few digits: the shortest whose double is the very same. */
export function toDecimal(price: number): DecimalPrice {
  for (let digits = 0; digits <= maxDigits; digits++) {
    const whole = Math.round(price * 10 ** digits)
    if (whole > Number.MAX_SAFE_INTEGER) break
    if (fromDecimal(whole, digits) === price) return { whole, digits }
  }
  return { whole: 0, digits: notDecimal }
}

/** Both are exact doubles, so that the quotient is the double nearest to the decimal. */
export const fromDecimal = (whole: number, digits: number): number => whole / 10 ** digits
