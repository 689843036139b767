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

/** What a service reports. What it does not know is undefined or empty. */
type Detected = { readonly [Name in keyof Omit<HostFacts, 'provider'>]: HostFacts[Name] | undefined }

export interface MetadataService {
  readonly provider: string
  /** Its address, if it is not the link-local one that most clouds use. */
  readonly endpoint?: string
  /** Returns undefined, and does not throw, if the machine does not belong to this cloud. On demand if it does not say. */
  detect(ask: FetchMetadata): Promise<Detected | undefined>
}

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
