import type { Architecture } from '../offer.ts'

/** The processor architecture a caller means, in any letter case; undefined if none. */
export function parseArchitecture(name: string): Exclude<Architecture, ''> | undefined {
  return names.get(name.toLowerCase().replace(/[\s_-]+/g, ''))
}

const names = new Map<string, Exclude<Architecture, ''>>([
  ...(['x8664', 'amd64', 'x64', 'intel64', 'x86'] as const).map((name) => [name, 'x86_64'] as const),
  ...(['arm64', 'aarch64', 'arm'] as const).map((name) => [name, 'arm64'] as const),
  ...(['i386', 'i686', '386'] as const).map((name) => [name, 'i386'] as const),
])
