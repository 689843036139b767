import { readdirSync, readFileSync } from 'node:fs'

/**
 * Converts paths of cgroups to those of the host. In a container with its own cgroup namespace, the kernel reports every
 * path relative to the agent's own cgroup: `/` is that cgroup, `/../../system.slice/ssh.service` another one. If the tree
 * of the host is mounted, the agent finds its own path in it once per hierarchy, by its process id.
 */
export class OwnCgroup {
  readonly #pid: number
  /** Path of the agent's own cgroup, by directory of the hierarchy. */
  readonly #own = new Map<string, readonly string[]>()

  constructor(pid: number) {
    this.#pid = pid
  }

  resolve(directory: string | undefined, path: string): string {
    if (directory === undefined) return path.replace(/^(\/\.\.)+/, '') || '/'
    let own = this.#own.get(directory)
    if (!path.startsWith('/..')) return own === undefined ? path : join([...own, ...parts(path)])
    if (own === undefined) {
      own = find(directory, this.#pid) ?? []
      this.#own.set(directory, own)
    }
    const names = parts(path)
    const ups = names.findIndex((name) => name !== '..')
    const up = ups < 0 ? names.length : ups
    return join([...own.slice(0, Math.max(0, own.length - up)), ...names.slice(up)])
  }
}

const parts = (path: string): string[] => path.split('/').filter((name) => name !== '')
const join = (names: readonly string[]): string => `/${names.join('/')}`

/** Searches breadth-first, because the agent's own cgroup is rarely deeper than others. */
function find(root: string, pid: number): readonly string[] | undefined {
  const wanted = new RegExp(`^${pid}$`, 'm')
  const queue: (readonly string[])[] = [[]]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const directory = [root, ...path].join('/')
    if (path.length > 0 && wanted.test(textOf(`${directory}/cgroup.procs`))) return path
    for (const name of directoriesIn(directory)) if (queue.length < maxQueue) queue.push([...path, name])
  }
  return undefined
}

const maxQueue = 100_000

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function directoriesIn(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}
