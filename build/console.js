// Builds the console into web/dist where it is missing or older than its sources. Plain JavaScript on purpose: an old Node
// must be able to say what is missing.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeToRun, whatIsNeeded } from '../bin/node-to-run.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'web/dist/index.html')
const builtAt = existsSync(page) ? statSync(page).mtimeMs : 0

if (newestBelow(join(root, 'web')) > builtAt) {
  const node = nodeToRun()
  if (node === undefined) fail(whatIsNeeded())
  if (canResolve('vite')) execFileSync(node, [join(root, 'web/build.ts')], { stdio: 'inherit' })
  else if (builtAt === 0)
    console.error('cheapside: without development dependencies there is no console; all else works')
}

function newestBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).reduce((newest, entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return entry.name === 'dist' ? newest : Math.max(newest, newestBelow(path))
    return Math.max(newest, statSync(path).mtimeMs)
  }, 0)
}

function canResolve(name) {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

function fail(sentence) {
  console.error(`cheapside: ${sentence}`)
  process.exit(1)
}
