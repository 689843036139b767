import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OwnCgroup } from './own-cgroup.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-cgroups-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const pod = '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-poda.slice'
for (const [path, pids] of [
  ['/cgroup.procs', '2\n77\n'],
  ['/init.scope/cgroup.procs', '1\n'],
  ['/system.slice/ssh.service/cgroup.procs', '4777\n'],
  [`${pod}/cri-containerd-b.scope/cgroup.procs`, '4242\n777\n'],
] as const) {
  mkdirSync(join(directory, dirname(path)), { recursive: true })
  writeFileSync(join(directory, path), pids)
}

function check(paths: [string, string][], hierarchy: string | undefined = directory) {
  const own = new OwnCgroup(777)
  for (const [told, path] of paths) expect(own.resolve(hierarchy, told)).toBe(path)
}

test('without a cgroup namespace paths are unchanged', () =>
  check([
    ['/', '/'],
    ['/system.slice/ssh.service', '/system.slice/ssh.service'],
  ]))

test('in a cgroup namespace they are resolved from our own cgroup', () =>
  check([
    ['/../../../../system.slice/ssh.service', '/system.slice/ssh.service'],
    ['/../../../..', '/'],
    ['/..', pod],
    [
      '/../../kubepods-burstable-podc.slice/x.scope',
      '/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podc.slice/x.scope',
    ],
    ['/', `${pod}/cri-containerd-b.scope`],
    ['/below', `${pod}/cri-containerd-b.scope/below`],
  ]))

test('a path with more steps up than there are directories is resolved from the root', () =>
  check([['/../../../../../../x', '/x']]))

test('without the machine\u2019s tree the end of the path is kept', () =>
  check([['/../../system.slice/ssh.service', '/system.slice/ssh.service']], join(directory, 'nothing')))
