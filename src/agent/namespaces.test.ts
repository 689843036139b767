import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

/**
 * Real mounts and namespaces, made inside a new namespace so that nothing remains. Tests run only for users who may create
 * them.
 */
const directory = mkdtempSync(join(tmpdir(), 'cheapside-mounts-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const here = import.meta.dirname
/** A user without other processes. */
const another = 61_000 + (process.pid % 1000)

const may = (...words: string[]) => spawnSync('unshare', words, { encoding: 'utf8' }).status === 0
const mayMount = may('-m', 'sh', '-c', `mount -t tmpfs none ${directory}`)
const mayMountProc = may('-m', 'sh', '-c', `mount -t proc -o hidepid=2 none ${directory}`)

function run(namespace: string[], prepare: string, script: string, asAnother = false): unknown {
  const node = `exec ${asAnother ? `setpriv --reuid=${another} --regid=${another} --clear-groups ` : ''}"$0" --input-type=module --eval "$1"`
  const ran = spawnSync(
    'unshare',
    [...namespace, 'sh', '-ec', `${prepare}\n${node}`, process.execPath, script],
    {
      encoding: 'utf8',
      cwd: '/',
    },
  )
  expect(ran.stderr).toBe('')
  return JSON.parse(ran.stdout)
}

function newDirectory(name: string): string {
  const path = join(directory, name)
  mkdirSync(path)
  return path
}

describe.runIf(mayMount)('a spool on a disk that is full', () => {
  test('drops the oldest requests in favour of the newest', () => {
    const disk = newDirectory('disk')
    const told = run(
      ['-m'],
      `mount -t tmpfs -o size=256k none ${disk}`,
      `import { Spool } from ${JSON.stringify(join(here, 'send/spool.ts'))}
       const spool = new Spool({ directory: ${JSON.stringify(disk)}, maxBytes: 1 << 26, segmentBytes: 30_000 })
       for (let number = 0; number < 1000; number++) spool.append(Buffer.from(String(number).padEnd(2000, '.')))
       const left = []
       for (let next = spool.peek(); next; next = spool.peek()) {
         left.push(Number.parseInt(Buffer.from(next.body).toString(), 10))
         spool.done(next)
       }
       console.log(JSON.stringify({ left, dropped: spool.dropped }))`,
    ) as { left: number[]; dropped: number }
    expect(told.left.at(-1)).toBe(999)
    expect(told.left).toEqual(
      Array.from({ length: told.left.length }, (_, index) => 1000 - told.left.length + index),
    )
    expect(told.left.length).toBeGreaterThan(60)
    expect(told.dropped).toBe(1000 - told.left.length)
  })
})

describe.runIf(mayMountProc)('/proc with hidepid', () => {
  test('is detected, and all CPU time is still counted', () => {
    const proc = newDirectory('proc')
    const told = run(
      ['-m'],
      `mount -t proc -o hidepid=invisible none ${proc}\nchmod 755 ${directory}`,
      `import { Sampler } from ${JSON.stringify(join(here, 'sampler.ts'))}
       const sampler = new Sampler({ proc: ${JSON.stringify(proc)}, cgroupRoot: '/sys/fs/cgroup', intervalSeconds: 15, pssSeconds: 60 })
       const first = sampler.measure()
       const { user } = process.cpuUsage()
       while (process.cpuUsage().user < user + 500_000);
       const { groups } = sampler.measure()
       console.log(JSON.stringify({ hidepid: first.hidepid, processes: first.processes, names: groups.map((group) => group.process),
         seconds: groups.reduce((sum, group) => sum + group.cpuSeconds, 0) }))`,
      true,
    ) as { hidepid: string; processes: number; names: string[]; seconds: number }
    expect(told.hidepid).toBe('invisible')
    expect(told.processes).toBe(1)
    expect(told.seconds).toBeGreaterThan(0.2)
  })
})

describe.runIf(mayMount)('a cgroup namespace of our own', () => {
  test('paths are reported as on the host', () => {
    const script = `
      import { Sampler } from ${JSON.stringify(join(here, 'sampler.ts'))}
      const sampler = new Sampler({ proc: '/proc', cgroupRoot: '/sys/fs/cgroup', intervalSeconds: 15, pssSeconds: 60 })
      const { groups } = sampler.measure()
      console.log(JSON.stringify(groups.map(({ cgroup }) => cgroup)))`
    const before = run(['-m'], 'true', script) as string[]
    const inside = run(['-C'], 'true', script) as string[]
    // Other programs may begin and end meanwhile.
    const after = new Set(run(['-m'], 'true', script) as string[])
    const outside = before.filter((path) => after.has(path))
    expect(inside.filter((path) => path.includes('..'))).toEqual([])
    const roots = (paths: string[]) => new Set(paths.map((path) => path.split('/')[1]))
    expect([...roots(outside)].filter((root) => !roots(inside).has(root))).toEqual([])
  })
})
