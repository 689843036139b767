import { describe, expect, test } from 'vitest'
import { type ProcessGroup, processGroupOf } from './process-group.ts'

const id = '3f4a1d0c9be2875a6c31f0e4d2b7a8956f1e0c3d4b5a69788796a5b4c3d2e1f0'
const uid = '8f4c2a9e-5b7d-4e1f-9a3c-6d2b1e0f7a85'
const uid_ = uid.replaceAll('-', '_')

/** Cgroup paths by group, then by what runs there. */
const forms: Record<ProcessGroup, Record<string, string>> = {
  kubernetes: {
    'cgroupfs, guaranteed': `/kubepods/pod${uid}/${id}`,
    'cgroupfs, burstable': `/kubepods/burstable/pod${uid}/${id}`,
    'cgroupfs, best effort': `/kubepods/besteffort/pod${uid}/${id}`,
    'static pod, its id is a hash': `/kubepods/burstable/pod1b0d5a4c3e2f/${id}`,
    'systemd and containerd, guaranteed': `/kubepods.slice/kubepods-pod${uid_}.slice/cri-containerd-${id}.scope`,
    'systemd and containerd, burstable': `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid_}.slice/cri-containerd-${id}.scope`,
    'systemd and CRI-O': `/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${uid_}.slice/crio-${id}.scope`,
    'CRI-O, its monitor': `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid_}.slice/crio-conmon-${id}.scope`,
    'CRI-O, the inner cgroup': `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid_}.slice/crio-${id}.scope/container`,
    'dockershim, systemd': `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid_}.slice/docker-${id}.scope`,
    'containerd, colons because its driver does not match': `/system.slice/containerd.service/kubepods-burstable-pod${uid_}.slice:cri-containerd:${id}`,
    'the same in the root': `/kubepods-besteffort-pod${uid_}.slice:cri-containerd:${id}`,
    'kind, cgroupfs': `/docker/${id}/kubelet/kubepods/burstable/pod${uid}/${id}`,
    'kind, systemd': `/system.slice/docker-${id}.scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod${uid_}.slice/cri-containerd-${id}.scope`,
    'minikube in Docker': `/docker/${id}/kubepods/besteffort/pod${uid}/${id}`,
    'seen from another cgroup namespace': `/../../kubepods-pod${uid_}.slice/cri-containerd-${id}.scope`,
    'rootless k3s': `/user.slice/user-1000.slice/user@1000.service/k3s-rootless.service/kubepods/burstable/pod${uid}/${id}`,
    "containerd's Kubernetes namespace": `/k8s.io/${id}`,
  },
  docker: {
    'Docker, cgroupfs': `/docker/${id}`,
    'Docker, systemd': `/system.slice/docker-${id}.scope`,
    'Docker with init inside': `/docker/${id}/system.slice/nginx.service`,
    'Docker, rootless': `/user.slice/user-1000.slice/user@1000.service/user.slice/docker-${id}.scope`,
    'Docker under a parent of its own': `/actions_job/${id}`,
    'BuildKit in Docker': `/system.slice/docker-${id}.scope/buildkit/wq1r5m1jxn8vpl2kx0ztm4c7e`,
    'a build of Docker': '/docker/buildkit/wq1r5m1jxn8vpl2kx0ztm4c7e',
    "kind's node itself": `/docker/${id}/system.slice/containerd.service`,
    podman: `/machine.slice/libpod-${id}.scope`,
    'podman, the inner cgroup': `/machine.slice/libpod-${id}.scope/container`,
    'podman, its monitor': `/machine.slice/libpod-conmon-${id}.scope`,
    'podman, cgroupfs': `/libpod_parent/libpod-${id}`,
    'podman, a pod': `/machine.slice/machine-libpod_pod_${id}.slice/libpod-${id}.scope`,
    'podman, rootless': `/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-${id}.scope/container`,
    'podman, split under a unit': `/system.slice/web.service/libpod-payload-${id}`,
    'nerdctl, systemd': `/system.slice/nerdctl-${id}.scope`,
    'nerdctl, rootless': `/user.slice/user-1000.slice/user@1000.service/user.slice/nerdctl-${id}.scope`,
    'nerdctl, cgroupfs, namespace default': `/default/${id}`,
    'containerd without Kubernetes': `/system.slice/cri-containerd-${id}.scope`,
    'containerd, colons': `/system.slice/containerd.service/system.slice:nerdctl:${id}`,
    'ECS on EC2, cgroupfs': `/ecs/0b69d5c0f1d04a3b9c2e7f6a5d4c3b2a/${id}`,
    'ECS on EC2, systemd': `/ecstasks.slice/ecstasks-0b69d5c0f1d04a3b9c2e7f6a5d4c3b2a.slice/docker-${id}.scope`,
    'ECS on Fargate': '/ecs/0b69d5c0f1d04a3b9c2e7f6a5d4c3b2a/0b69d5c0f1d04a3b9c2e7f6a5d4c3b2a-2531612879',
    'LXC 4 and later': '/lxc.payload.web-1/system.slice/nginx.service',
    "LXC's monitor": '/lxc.monitor.web-1',
    'LXC 3': '/lxc/web-1',
    'LXC of Proxmox': '/lxc/101/ns/init.scope',
    nspawn: '/machine.slice/systemd-nspawn@web.service/payload/system.slice/nginx.service',
    'nspawn of machinectl': '/machine.slice/machine-nspawn\\x2dweb.scope',
    rkt: '/machine.slice/machine-rkt\\x2d5f7c.scope/system.slice/app.service',
    Garden: '/garden/5f7c2a9e-5b7d-4e1f-7a3c-6d2b',
    Nomad: '/nomad.slice/share.slice/5f7c2a9e-5b7d-4e1f-9a3c-6d2b1e0f7a85.web.scope',
  },
  system: {
    'a service of systemd': '/system.slice/ssh.service',
    'a service with an instance': '/system.slice/system-getty.slice/getty@tty1.service',
    "Docker's daemon": '/system.slice/docker.service',
    "containerd's daemon and shims": '/system.slice/containerd.service',
    'the kubelet': '/system.slice/kubelet.service',
    'the kubelet of kind': '/kubelet.slice/kubelet.service',
    k3s: '/system.slice/k3s.service',
    'systemd itself': '/init.scope',
    "Azure's agent": '/azure.slice/azure-vmextensions.slice/x.service',
    "Bottlerocket's runtime": '/runtime.slice/containerd.service',
    'Talos: machined': '/init',
    'Talos: apid': '/system/apid',
    "Talos: the pods' runtime": '/podruntime/runtime',
    'Talos: the kubelet': '/podruntime/kubelet',
    OpenRC: '/openrc/sshd',
    'OpenRC, unified': '/openrc.sshd',
    'KVM by libvirt': '/machine.slice/machine-qemu\\x2d1\\x2dweb.scope/libvirt/emulator',
    'KVM by libvirt, one core': '/machine.slice/machine-qemu\\x2d1\\x2dweb.scope/libvirt/vcpu0',
    'KVM by libvirt without systemd': '/machine/qemu-1-web.libvirt-qemu/emulator',
    'KVM of Proxmox': '/qemu.slice/100.scope',
  },
  user: {
    'a session': '/user.slice/user-1000.slice/session-3.scope',
    'a session of root': '/user.slice/user-0.slice/session-1.scope',
    "a user's manager": '/user.slice/user-1000.slice/user@1000.service/init.scope',
    'a desktop application':
      '/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-firefox-4242.scope',
    tmux: '/user.slice/user-1000.slice/user@1000.service/tmux-spawn-5f7c2a9e.scope',
  },
  unknown: {
    'no cgroup but the root': '/',
    'not told': '',
    'of nobody we know': '/process_api/b3f79985b2812b43856708ea348b2fba',
    'a name that only begins like one': '/dockerish/web',
    'a directory of Docker without a container': '/docker',
  },
}

describe('the group of a cgroup', () => {
  const table = Object.entries(forms).flatMap(([group, paths]) =>
    Object.entries(paths).map(([what, path]) => [group, what, path] as const),
  )

  test.each(table)('%s: %s', (group, _what, path) => {
    expect(processGroupOf(path)).toBe(group)
  })

  test('there are at least forty forms', () => {
    expect(new Set(table.map(([, , path]) => path)).size).toBeGreaterThanOrEqual(40)
  })
})
