import { readFileSync } from 'node:fs'
import { arch } from 'node:os'
import { detectMachine } from './detect.ts'
import type { HostFacts } from './metadata-service.ts'

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
