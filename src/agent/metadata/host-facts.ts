import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { arch } from 'node:os'
import type { FetchMetadata, HostFacts } from '../../providers/metadata/metadata-service.ts'

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

/** Asks the metadata services of all clouds. On a machine outside of clouds none answers within the time limit. */
export async function detectMachine(
  options: { readonly endpoint?: string | undefined; readonly timeoutMs?: number } = {},
): Promise<HostFacts | undefined> {
  // Loaded only here: an agent whose machine is described by its flags needs nothing of any provider.
  const { detectHost } = await import('../../providers/metadata/detect-host.ts')
  const signal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
  return detectHost((endpoint) => askAt(options.endpoint ?? endpoint, signal))
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
