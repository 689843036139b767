import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A process of a known load under a name of its own, that tells what it truly used. */
export interface Load {
  readonly pid: number
  /** Its CPU time so far, as it counts it itself. */
  cpuSeconds(): Promise<number>
  /** Takes this much memory and touches all of it. */
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

/** Burns `share` of a core. The name is that of a link to the program, and so the process's. */
export async function startLoad(name: string, share: number): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'cheapside-load-'))
  const program = join(folder, name)
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
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const answer = (child: ChildProcess): Promise<{ cpuSeconds: number }> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as { cpuSeconds: number })))
