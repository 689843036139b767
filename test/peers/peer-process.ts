import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A real program on a free port of this machine, with its own directory. */
export interface Peer {
  readonly url: string
  /** CPU time of all its threads so far; Linux only. */
  cpuSeconds(): number
  residentBytes(): number
  /** Stops the program and removes its directory. */
  stop(): Promise<void>
}

/**
 * Starts a program, waits until it logs its port in a line that `port` matches, and then until the path `ready` answers.
 */
export async function startPeer(
  binary: string,
  args: (directory: string) => readonly string[],
  port: RegExp,
  ready: string,
): Promise<Peer> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-peer-'))
  const child = spawn(binary, args(directory), { stdio: ['ignore', 'ignore', 'pipe'] })
  const url = `http://127.0.0.1:${await listeningPort(child, port)}`
  for (let answered = false; !answered && child.exitCode === null; )
    answered = await fetch(url + ready).then(
      ({ ok }) => ok,
      () => false,
    )
  return {
    url,
    cpuSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    },
    residentBytes: () =>
      1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function listeningPort(child: ChildProcess, pattern: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    const lines = createInterface({ input: child.stderr! })
    lines.on('line', (line) => {
      if (said.length < 200) said.push(line)
      const port = Number(pattern.exec(line)?.[1])
      if (port > 0) resolve(port)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${child.spawnfile} did not start:\n${said.join('\n')}`)))
  })
}

/** USER_HZ of Linux on all common architectures. */
const ticksPerSecond = 100
