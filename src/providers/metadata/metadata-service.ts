import type { UsageType } from '../../domain/offer.ts'

/** Known facts about a machine, which determine its price. */
export interface HostFacts {
  readonly provider?: string
  readonly region?: string
  readonly zone?: string
  readonly instanceType?: string
  readonly usageType?: UsageType
  readonly architecture?: string
  readonly osImage?: string
}

interface MetadataRequest {
  readonly path: string
  readonly method?: 'GET' | 'PUT'
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the body of an answer with status 200; undefined for anything else. */
export type FetchMetadata = (request: MetadataRequest) => Promise<string | undefined>

/**
 * The metadata service of one cloud. `detect` returns undefined, and does not throw, if the machine does not belong to this
 * cloud.
 */
export interface MetadataService {
  readonly provider: string
  readonly endpoint: string
  detect(ask: FetchMetadata): Promise<HostFacts | undefined>
}

/** The link-local address at which the machines of clouds reach the service. */
export const linkLocal = 'http://169.254.169.254'

export function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export const textIn = (object: Record<string, unknown> | undefined, name: string): string | undefined => {
  const value = object?.[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Removes members that are undefined or empty. */
export function withoutUndefined(
  facts: { [Name in keyof HostFacts]: HostFacts[Name] | undefined },
): HostFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''))
}
