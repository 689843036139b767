import { expect, test } from 'vitest'
import { type CgroupPaths, parseCgroupFile, type Version } from './stat.ts'

const v2 = { cpu: 2, memory: 2 } as const
const v1 = { cpu: 1, memory: 1 } as const

function check(file: string, counted: { cpu: Version; memory: Version }, expected: CgroupPaths) {
  expect(parseCgroupFile(file, counted)).toEqual(expected)
}

const one = (path: string): CgroupPaths => ({ shown: path, cpu: path, memory: path })

test('version 2', () => check('0::/system.slice/ssh.service\n', v2, one('/system.slice/ssh.service')))

test('version 1, with controllers mounted together', () =>
  check('12:cpu,cpuacct:/docker/a\n11:memory:/docker/a\n1:name=systemd:/docker/a\n', v1, one('/docker/a')))

test('version 1 together with an empty version 2', () =>
  check('4:memory:/jobs/b\n2:cpuacct:/\n1:name=systemd:/\n0::/\n', v1, {
    shown: '/jobs/b',
    cpu: '/',
    memory: '/jobs/b',
  }))

test('hybrid: systemd has version 2, the controllers version 1', () =>
  check(
    '5:cpu,cpuacct:/system.slice\n3:memory:/system.slice/x.service\n0::/system.slice/x.service\n',
    { cpu: 1, memory: 1 },
    { shown: '/system.slice/x.service', cpu: '/system.slice', memory: '/system.slice/x.service' },
  ))

test('a path with colons, and one of a removed cgroup', () =>
  check(
    '0::/system.slice/containerd.service/kubepods-podx.slice:cri-containerd:y (deleted)\n',
    v2,
    one('/system.slice/containerd.service/kubepods-podx.slice:cri-containerd:y'),
  ))

test('invalid and empty text', () => {
  check('', v2, one('/'))
  check('what is this\n0:x\n', v2, one('/'))
})
