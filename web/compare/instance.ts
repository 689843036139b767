/** The instance of a price history. */
export interface Instance {
  readonly provider: string
  readonly region: string
  readonly type: string
  readonly os: string
  readonly paid: string
}

const parts = ['provider', 'region', 'type', 'os', 'paid'] as const

/** Encodes an instance as one parameter of the address. */
export const writeInstance = (of: Instance): string => parts.map((part) => of[part]).join('|')

export function readInstance(text: string | null): Instance | undefined {
  const [provider, region, type, os, paid, ...more] = text?.split('|') ?? []
  if (!provider || !region || !type || !os || !paid || more.length > 0) return undefined
  return { provider, region, type, os, paid }
}
