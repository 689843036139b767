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
  /** Replaces the address of every metadata service. */
  readonly endpoint?: string | undefined
  readonly timeoutMs?: number
  /** Do not query any metadata service. */
  readonly offline?: boolean
}

/** Facts about the machine. The metadata service is not queried if the user gave everything. */
export async function findHostFacts({ given, offline, ...options }: HostFactsOptions): Promise<HostFacts> {
  const complete = given.provider && given.region && given.zone && given.instanceType && given.usageType
  const detected = offline || complete ? undefined : await detectMachine(options)
  const another = given.provider !== undefined && given.provider !== detected?.provider
  return { ...hostFacts(), ...(another ? {} : detected), ...given }
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

/** All metadata services, those that identify their cloud most reliably first. To add one, add it to providers.ts and a line here. */
const metadataServices: readonly MetadataService[] = [
  awsMetadata, // identified by a token that no other service issues
  azureMetadata, // identified by a header that no other service requires
  gcpMetadata, // identified by a header that no other service requires
  digitaloceanMetadata, // identified by its path; reports no size
  hetznerMetadata, // identified by its path; reports no type
  ovhcloudMetadata, // OpenStack, identified by its flavors
]

/**
 * Queries all services at once and takes the first of the list that recognises the machine. On a machine outside of clouds
 * none answers within the time limit. A service that hangs does not delay the others.
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

/** Does not follow redirects, because a metadata service never sends one. */
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
