import type { UsageType } from '../../domain/offer.ts'

/** What a machine is, as far as it is known; it decides the price. */
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

/** The body of a 200 answer; undefined for anything else. */
export type FetchMetadata = (request: MetadataRequest) => Promise<string | undefined>

/** One cloud's metadata service. Answers undefined where the machine is not this cloud's, never throws for that. */
export interface MetadataService {
  readonly provider: string
  readonly endpoint: string
  detect(ask: FetchMetadata): Promise<HostFacts | undefined>
}

/** The address at which cloud machines reach the service; it is link-local. */
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

/** Without the members that are undefined. */
export function withoutUndefined(
  facts: { [Name in keyof HostFacts]: HostFacts[Name] | undefined },
): HostFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''))
}
