const factors: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** Reads a quantity of Kubernetes: 500m -> 0.5, 1Gi -> 1073741824, 1e3 -> 1000. Returns undefined for other text. */
export function parseQuantity(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (typeof value !== 'string') return undefined
  const match =
    /^\+?(\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE]([+-]?\d{1,2})|([numkMGTPE]|[KMGTPE]i)?)$/.exec(
      value.trim(),
    )
  if (match === null) return undefined
  const [, digits = '', exponent = '0', suffix = ''] = match
  return Number(digits) * 10 ** Number(exponent) * factors[suffix]!
}
