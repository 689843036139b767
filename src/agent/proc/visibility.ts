import type { KernelFiles } from './kernel-files.ts'

/** How /proc is mounted: with hidepid, processes of other users are not readable or not even listed (proc(5)). */
export function readHidepid(
  files: KernelFiles,
  proc: string,
): 'off' | 'noaccess' | 'invisible' | 'ptraceable' {
  const mounts = files.text(`${proc}/self/mounts`) ?? ''
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, where, type]) => where === proc && type === 'proc')?.[3]
  const value = /(?:^|,)hidepid=(\w+)/.exec(options ?? '')?.[1] ?? '0'
  return levels[value] ?? 'off'
}

const levels: Record<string, 'off' | 'noaccess' | 'invisible' | 'ptraceable'> = {
  1: 'noaccess',
  noaccess: 'noaccess',
  2: 'invisible',
  invisible: 'invisible',
  4: 'ptraceable',
  ptraceable: 'ptraceable',
}
