import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Sampler } from './sampler.ts'

export interface FakeProcess {
  comm?: string | Uint8Array
  cgroup?: string
  cpuSeconds?: number
  rssMib?: number
  /** If absent, the file smaps_rollup does not exist, as with old kernels. */
  pssMib?: number
  startSeconds?: number
  flags?: number
  commandLine?: string
}

/**
 * A host simulated by files, for situations that a real one does not produce on demand: cgroups version 2, pages of 4 KiB,
 * 100 ticks.
 */
export class FakeHost {
  readonly directory = mkdtempSync(join(tmpdir(), 'cheapside-host-'))
  readonly proc = join(this.directory, 'proc')
  readonly cgroupRoot = join(this.directory, 'cgroup')

  constructor() {
    this.#write(this.proc, 'self/mounts', `proc ${this.proc} proc rw,relatime 0 0\n`)
    this.#write(this.cgroupRoot, 'cgroup.controllers', 'cpu memory\n')
    this.machine({})
  }

  machine({
    taskSeconds = 0,
    softirqSeconds = 0,
    uptimeSeconds = 1000,
    mappedMib = 100,
    hidepid = '',
  }): void {
    const line = `${taskSeconds * 100} 0 0 5000 0 0 ${softirqSeconds * 100} 900 0 0`
    this.#write(this.proc, 'stat', `cpu  ${line}\ncpu0 ${line}\ncpu1 0 0 0 0 0 0 0 0 0 0\nintr 1 2\n`)
    this.#write(this.proc, 'uptime', `${uptimeSeconds.toFixed(2)} 1.00\n`)
    this.#write(
      this.proc,
      'meminfo',
      `MemTotal:        8000000 kB\nMemAvailable:    4000000 kB\nAnonPages:       ${mappedMib * 1024} kB\nMapped:         0 kB\n`,
    )
    this.#write(
      this.proc,
      'self/mounts',
      `proc ${this.proc} proc rw${hidepid && `,hidepid=${hidepid}`} 0 0\n`,
    )
  }

  process(pid: number, given: FakeProcess): void {
    const {
      comm = 'web',
      cgroup = '/',
      cpuSeconds = 0,
      rssMib = 10,
      startSeconds = 1,
      flags = 4194304,
    } = given
    const fields = `S 1 1 1 0 -1 ${flags} 1 0 0 0 ${cpuSeconds * 100} 0 0 0 20 0 1 0 ${startSeconds * 100} 999 ${rssMib * 256} 1 1`
    const name = typeof comm === 'string' ? Buffer.from(comm) : comm
    const stat = Buffer.concat([Buffer.from(`${pid} (`), name, Buffer.from(`) ${fields}\n`)])
    this.#write(this.proc, `${pid}/stat`, stat)
    this.#write(this.proc, `${pid}/cgroup`, `0::${cgroup}\n`)
    this.#write(this.proc, `${pid}/cmdline`, given.commandLine ?? '')
    if (given.pssMib !== undefined)
      this.#write(
        this.proc,
        `${pid}/smaps_rollup`,
        `5-7 ---p [rollup]\nRss: 9 kB\nPss:    ${given.pssMib * 1024} kB\n`,
      )
  }

  end(pid: number): void {
    rmSync(join(this.proc, String(pid)), { recursive: true, force: true })
  }

  /** Adds a process that vanishes between being listed and being read. */
  vanishing(pid: number): void {
    mkdirSync(join(this.proc, String(pid)), { recursive: true })
  }

  cgroup(path: string, given: { cpuSeconds?: number; mappedMib?: number } | undefined): void {
    if (given === undefined) rmSync(join(this.cgroupRoot, path), { recursive: true, force: true })
    else {
      const usec = Math.round((given.cpuSeconds ?? 0) * 1e6)
      this.#write(this.cgroupRoot, `${path}/cpu.stat`, `usage_usec ${usec}\nuser_usec 1\nsystem_usec 1\n`)
      if (given.mappedMib !== undefined)
        this.#write(
          this.cgroupRoot,
          `${path}/memory.stat`,
          `anon ${given.mappedMib << 20}\nfile 7\nkernel 7\nfile_mapped 0\nanon_thp 5\n`,
        )
    }
  }

  sampler(limits = { maxGroups: 100, maxIdleMeasurements: 10 }): Sampler {
    return new Sampler({
      proc: this.proc,
      cgroupRoot: this.cgroupRoot,
      intervalSeconds: 15,
      pssSeconds: 60,
      units: { pageBytes: 4096, ticksPerSecond: 100 },
      limits,
    })
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }

  #write(root: string, path: string, content: string | Uint8Array): void {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
