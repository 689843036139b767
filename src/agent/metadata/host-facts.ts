import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { arch } from 'node:os'
import type { FetchMetadata, HostFacts, MetadataService } from './metadata-service.ts'
import {
  awsMetadata,
  azureMetadata,
  digitaloceanMetadata,
  gcpMetadata,
  hetznerMetadata,
  ovhcloudMetadata,
} from './providers.ts'

export interface HostFactsOptions {
  /** Facts given by the user; they override detected ones. */
  readonly given: HostFacts
  /** Another place than each cloud's own to ask. */
  readonly endpoint?: string | undefined
  readonly timeoutMs?: number
  /** Do not query any metadata service. */
  readonly offline?: boolean
}

/** Facts about the machine. The metadata service is not queried if the user gave everything. */
export async function findHostFacts({ given, offline, ...options }: HostFactsOptions): Promise<HostFacts> {
  const complete = given.provider && given.region && given.zone && given.instanceType && given.usageType
  const found = offline || complete ? undefined : await detectMachine(options)
  const another = given.provider !== undefined && given.provider !== found?.provider
  return { ...hostFacts(), ...(another ? {} : found), ...given }
}

function hostFacts(): HostFacts {
  const osImage = osName()
  return { architecture: architectures[arch()] ?? arch(), ...(osImage && { osImage }) }
}

const architectures: Record<string, string> = { x64: 'x86_64', arm64: 'arm64', ia32: 'i386' }

/** os-release(5) */
function osName(): string | undefined {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

/** Every metadata service that is asked, the surest first. To add one: a file, and a line here. */
const metadataServices: readonly MetadataService[] = [
  awsMetadata, // a token that only it gives
  azureMetadata, // a header that only it asks for
  gcpMetadata, // likewise
  digitaloceanMetadata, // its own path; no size
  hetznerMetadata, // its own path; no type
  ovhcloudMetadata, // OpenStack, identified by its flavors
]

/**
 * Asks all at once and takes the first of the list that knows the machine. None answers within the time on a machine that is
 * in no cloud. A service that hangs delays nothing else.
 */
export async function detectMachine(
  options: { readonly endpoint?: string | undefined; readonly timeoutMs?: number } = {},
  services: readonly MetadataService[] = metadataServices,
): Promise<HostFacts | undefined> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
  const answers = services.map((service) =>
    service.detect(askAt(options.endpoint ?? service.endpoint, signal)).catch(() => undefined),
  )
  for (const answer of answers) {
    const facts = await answer
    if (facts !== undefined) return facts
  }
  return undefined
}

const defaultTimeoutMs = 1500
const maxAnswerBytes = 256 << 10

/** Never follows a redirect: what answers so is no metadata service. */
function askAt(endpoint: string, signal: AbortSignal): FetchMetadata {
  return ({ path, method = 'GET', headers = {} }) =>
    new Promise((resolve) => {
      const asked = request(new URL(path, endpoint), { method, headers, signal }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
          if (text.length > maxAnswerBytes) answer.destroy()
        })
        answer.on('end', () => resolve(answer.statusCode === 200 ? text : undefined))
        answer.on('close', () => resolve(undefined))
        answer.on('error', () => resolve(undefined))
      })
      asked.on('error', () => resolve(undefined))
      asked.end()
    })
}
