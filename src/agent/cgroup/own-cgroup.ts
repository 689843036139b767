import { readdirSync, readFileSync } from 'node:fs'

/**
 * Paths as the whole machine names them. In a container with a cgroup namespace of its own, the kernel tells every path
 * from our own cgroup: `/` is ours, `/../../system.slice/ssh.service` another's. Where the machine's tree is mounted, our
 * own place in it is found once, by our process id.
 */
export class OwnCgroup {
  readonly #folder: string | undefined
  readonly #pid: number
  #own: readonly string[] | undefined

  constructor(folder: string | undefined, pid: number) {
    this.#folder = folder
    this.#pid = pid
  }

  resolve(path: string): string {
    if (!path.startsWith('/..')) return this.#own === undefined ? path : join([...this.#own, ...parts(path)])
    this.#own ??= this.#folder === undefined ? [] : (find(this.#folder, this.#pid) ?? [])
    const names = parts(path)
    const ups = names.findIndex((name) => name !== '..')
    const up = ups < 0 ? names.length : ups
    return join([...this.#own.slice(0, Math.max(0, this.#own.length - up)), ...names.slice(up)])
  }
}

const parts = (path: string): string[] => path.split('/').filter((name) => name !== '')
const join = (names: readonly string[]): string => `/${names.join('/')}`

/** Breadth first: our own cgroup is rarely deeper than the others. */
function find(root: string, pid: number): readonly string[] | undefined {
  const wanted = new RegExp(`^${pid}$`, 'm')
  const queue: (readonly string[])[] = [[]]
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    const folder = [root, ...place].join('/')
    try {
      if (place.length > 0 && wanted.test(readFileSync(`${folder}/cgroup.procs`, 'utf8'))) return place
      for (const entry of readdirSync(folder, { withFileTypes: true }))
        if (entry.isDirectory() && queue.length < maxQueue) queue.push([...place, entry.name])
    } catch {}
  }
  return undefined
}

const maxQueue = 100_000
