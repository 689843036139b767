import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A process with a known load and its own name, which reports the CPU time that it used. */
export interface Load {
  readonly pid: number
  /** CPU time so far, as the process itself measures it. */
  cpuSeconds(): Promise<number>
  /** Allocates this much memory and touches all of it. */
  hold(mib: number): Promise<void>
  end(): Promise<void>
}

const script = `
  const start = performance.now()
  const share = Number(process.argv[1])
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6 }
  const before = used()
  setInterval(() => {
    const until = performance.now() + 200
    while (used() - before < share * (performance.now() - start) / 1000 && performance.now() < until);
  }, 10)
  let held
  process.on('message', ({ hold }) => {
    if (hold) held = Buffer.alloc(hold << 20, 1)
    process.send({ cpuSeconds: used(), held: held?.length })
  })
  process.send({ ready: true })
`

/**
 * Starts a process that uses `share` of a core. It is started by a link with the given name, which becomes the name of the
 * process.
 */
export async function startLoad(name: string, share: number): Promise<Load> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-load-'))
  const program = join(directory, name)
  symlinkSync(process.execPath, program)
  const child = spawn(program, ['--eval', script, String(share)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await answer(child)
  const ask = (question: object) => {
    child.send(question)
    return answer(child)
  }
  return {
    pid: child.pid!,
    cpuSeconds: async () => (await ask({})).cpuSeconds,
    hold: async (mib) => {
      await ask({ hold: mib })
    },
    end: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const answer = (child: ChildProcess): Promise<{ cpuSeconds: number }> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as { cpuSeconds: number })))
