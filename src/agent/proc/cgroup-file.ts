/** The paths of the cgroups of a process; '/' is the root. */
export interface CgroupPaths {
  /** The path to show, which best identifies the service or container of the process. */
  readonly shown: string
  /** The path in the hierarchy that counts CPU time. */
  readonly cpu: string
  /** The path in the hierarchy that counts memory. */
  readonly memory: string
}

/**
 * Parses /proc/<pid>/cgroup (cgroups(7)), which has a line per hierarchy: `0::/path` is version 2, `4:memory:/path` and
 * `2:cpu,cpuacct:/path` are controllers of version 1, and `1:name=systemd:/path` has no controller. A path may contain
 * colons, and ` (deleted)` is appended to the path of a removed cgroup.
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
  const pathIn = (version: Version, controller: string) => paths.get(version === 1 ? controller : '') ?? '/'
  return {
    shown: showOrder.map((controller) => paths.get(controller)).find((path) => path && path !== '/') ?? '/',
    cpu: pathIn(counted.cpu, 'cpuacct'),
    memory: pathIn(counted.memory, 'memory'),
  }
}

export type Version = 1 | 2

/** Version 2 first, then the hierarchy of systemd, then the controllers of version 1 that container engines always set. */
const showOrder = ['', 'name=systemd', 'memory', 'cpuacct', 'cpu', 'pids', 'devices']
