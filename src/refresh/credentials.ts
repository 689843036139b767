import { readFileSync } from 'node:fs'
import type { Importer } from '../importers/live/importer.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A credential file that is named but cannot be read; the message names the variable and the file, never a content. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError'
}

/** The credentials that importers may use: from NAME, else from the file that NAME_FILE names. They are kept nowhere. */
export function readCredentials(
  importers: readonly Importer[],
  environment: Environment,
): Record<string, string> {
  const secrets: Record<string, string> = {}
  for (const { needs } of importers) {
    for (const name of [...needs.credential, ...(needs.optional?.credential ?? [])]) {
      const value = environment[name]?.trim() || fromFile(name, environment[`${name}_FILE`])
      if (value !== undefined && value !== '') secrets[name] = value
    }
  }
  return secrets
}

function fromFile(name: string, file: string | undefined): string | undefined {
  if (file === undefined || file === '') return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new SecretFileError(`${name}_FILE names ${file}, which cannot be read`)
  }
}

/** CHEAPSIDE_PRICE_ENDPOINTS="aws.prices=https://mirror.example/aws, ...": addresses to ask instead of the usual ones. */
export function readEndpoints(
  importers: readonly Importer[],
  environment: Environment,
): Record<string, string> {
  const known = new Set([
    'exchange.rates',
    ...importers.flatMap(({ provider, endpoints }) =>
      Object.keys(endpoints).map((name) => `${provider.key}.${name}`),
    ),
  ])
  const endpoints: Record<string, string> = {}
  for (const entry of (environment.CHEAPSIDE_PRICE_ENDPOINTS ?? '').split(',')) {
    if (entry.trim() === '') continue
    const [, name = '', url = ''] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(entry) ?? []
    if (!known.has(name) || !/^https?:\/\/[^/]/.test(url))
      throw new SecretFileError(
        `CHEAPSIDE_PRICE_ENDPOINTS: ${JSON.stringify(entry.trim())} is not NAME=URL with a name of ${[...known].join(', ')}`,
      )
    endpoints[name] = url
  }
  return endpoints
}
