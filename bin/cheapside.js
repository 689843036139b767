#!/usr/bin/env node
// Plain JavaScript on purpose: an old Node must be able to read this file and hand over to the one in node_modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { nodeToRun, whatIsNeeded, whyItDoesNotRun } from './node-to-run.js'

const node = nodeToRun()
if (node === process.execPath) {
  // Compiled code is kept between starts, which halves the time a start takes.
  module.enableCompileCache?.()
  // A clone has the sources and runs them as they are; a package has JavaScript alone.
  const program = ['../src/main.ts', '../dist/main.js']
    .map((path) => new URL(path, import.meta.url))
    .find(existsSync)
  if (program === undefined) fail('this copy is not compiled: install the tarball that npm pack creates')
  await import(program.href)
} else if (node === undefined) {
  fail(whatIsNeeded())
} else {
  handOver()
}

function handOver() {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    // The channel carries nothing: it closes when this process dies, whatever way, and the child then stops too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  // A terminal sends Ctrl-C to both of us already.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('error', (error) => fail(whyItDoesNotRun(node, error)))
  child.on('exit', (code, signal) => {
    // The dynamic linker's own exit code: it has said which library is missing.
    if (code === 127)
      fail(
        `${node} does not run here because a library is missing; on Debian, run apt-get install libatomic1 libstdc++6`,
      )
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function fail(sentence) {
  console.error(`cheapside: ${sentence}`)
  process.exit(1)
}
