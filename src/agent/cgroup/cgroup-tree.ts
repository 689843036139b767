import { existsSync } from 'node:fs'
import { type KernelFiles, numberIn } from '../proc/kernel-files.ts'
import type { Version } from '../proc/stat.ts'

/**
 * The counters of cgroups, version 1 or 2, wherever each hierarchy is mounted: version 2 alone (`/sys/fs/cgroup`), version
 * 1 (`/sys/fs/cgroup/cpuacct`, `.../memory`), or both. Then version 2 (`.../unified`) has the controllers that version 1
 * does not use.
 */
export class CgroupTree {
  readonly versions: { readonly cpu: Version; readonly memory: Version }
  /** undefined if there is no such hierarchy. */
  readonly cpuDirectory: string | undefined
  readonly memoryDirectory: string | undefined
  readonly #files: KernelFiles
  readonly #root: string
  readonly #unified: string | undefined

  constructor(files: KernelFiles, root: string) {
    this.#files = files
    this.#root = root
    const first = (...directories: string[]) =>
      directories.map((directory) => root + directory).find((path) => existsSync(path))
    const unified = ['', '/unified'].map((directory) => root + directory).find(isVersion2)
    const cpuacct = isVersion2(root) ? undefined : first('/cpuacct', '/cpu,cpuacct', '/cpuacct,cpu')
    const memory = isVersion2(root) ? undefined : first('/memory')
    this.versions = { cpu: cpuacct === undefined ? 2 : 1, memory: memory === undefined ? 2 : 1 }
    this.#unified = unified
    this.cpuDirectory = cpuacct ?? unified
    this.memoryDirectory = memory ?? unified
  }

  /** The mount point of the hierarchy of a controller. It is named as in /proc/<pid>/cgroup: '' is version 2. */
  directoryOf(controller: string): string | undefined {
    return controller === '' ? this.#unified : `${this.#root}/${controller.replace(/^name=/, '')}`
  }

  /** With its descendants. Undefined for the root in version 2, whose counter includes time stolen by the hypervisor. */
  cpuSeconds(path: string): number | undefined {
    if (this.cpuDirectory === undefined) return undefined
    if (this.versions.cpu === 1)
      return scaled(this.#files.number(`${this.cpuDirectory}${path}/cpuacct.usage`), 1e-9)
    if (path === '/') return undefined
    return scaled(this.#files.number(`${this.cpuDirectory}${path}/cpu.stat`, 'usage_usec'), 1e-6)
  }

  /** Memory that the processes of a cgroup have mapped, each page counted once: anonymous memory and mapped files. */
  mappedBytes(path: string): number | undefined {
    if (this.memoryDirectory === undefined || path === '/') return undefined
    const length = this.#files.read(`${this.memoryDirectory}${path}/memory.stat`)
    if (length < 0) return undefined
    const names = this.versions.memory === 1 ? ['rss ', 'mapped_file '] : ['anon ', 'file_mapped ']
    return names.reduce((sum, name) => sum + (numberIn(this.#files.bytes, length, name) ?? 0), 0)
  }
}

const isVersion2 = (directory: string): boolean => existsSync(`${directory}/cgroup.controllers`)

const scaled = (value: number | undefined, unit: number): number | undefined =>
  value === undefined ? undefined : value * unit
