import type { ExchangeRate } from '../../domain/manifest.ts'

/** Eight digits after the point, as the price facts have: 0.0071 x 1.1567 = 0.00821257. */
export const convert = (amount: number, { rate }: ExchangeRate): number => Number((amount * rate).toFixed(8))
