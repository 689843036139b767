/** Where a process is, in each hierarchy that matters; '/' is the root. */
export interface CgroupPaths {
  /** The one to show: the deepest knowledge of who runs the process. */
  readonly shown: string
  /** Where its CPU time is counted. */
  readonly cpu: string
  /** Where its memory is counted. */
  readonly memory: string
}

/**
 * /proc/<pid>/cgroup (cgroups(7)), a line a hierarchy: `0::/path` is version 2, `4:memory:/path` and
 * `2:cpu,cpuacct:/path` are controllers of version 1, `1:name=systemd:/path` has none. A path may hold colons, and
 * ` (deleted)` is appended to the path of a removed cgroup.
 */
export function parseCgroupFile(
  text: string,
  counted: { cpu: Version; memory: Version },
  resolve: (controller: string, path: string) => string = (_controller, path) => path,
): CgroupPaths {
  const paths = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = /^\d+:([^:]*):(\/.*)$/s.exec(line)
    if (match === null) continue
    const path = match[2]!.replace(/ \(deleted\)$/, '')
    for (const controller of match[1]!.split(',')) paths.set(controller, resolve(controller, path))
  }
  const of = (version: Version, controller: string) => paths.get(version === 1 ? controller : '') ?? '/'
  return {
    shown: showOrder.map((controller) => paths.get(controller)).find((path) => path && path !== '/') ?? '/',
    cpu: of(counted.cpu, 'cpuacct'),
    memory: of(counted.memory, 'memory'),
  }
}

export type Version = 1 | 2

/** Version 2 first; of version 1 the manager's own hierarchy, then the controllers that engines always set. */
const showOrder = ['', 'name=systemd', 'memory', 'cpuacct', 'cpu', 'pids', 'devices']
