export const processGroups = ['kubernetes', 'docker', 'system', 'user', 'unknown'] as const
export type ProcessGroup = (typeof processGroups)[number]

/**
 * Derives who runs the processes of a cgroup from its path alone. The first rule that matches decides, so that a pod
 * inside a container (kind, minikube) is Kubernetes and a service inside a container is the container's.
 */
export function processGroupOf(cgroup: string): ProcessGroup {
  const segments = cgroup.split('/').filter((segment) => segment !== '' && segment !== '..')
  return rules.find(([, matches]) => matches(segments))?.[0] ?? 'unknown'
}

type Rule = readonly [ProcessGroup, (segments: readonly string[]) => boolean]

const rules: readonly Rule[] = [
  ['kubernetes', (segments) => segments.some((segment) => podSegment.test(segment))],
  ['kubernetes', (segments) => segments[0] === 'k8s.io' && segments.length > 1],
  ['docker', (segments) => segments.some((segment) => containerSegment.test(segment))],
  ['docker', (segments) => segments.some(isContainerDirectory)],
  ['user', (segments) => segments[0] === 'user.slice' || /^user(-\d+)?$/.test(segments[0] ?? '')],
  ['system', (segments) => systemRoot.test(segments[0] ?? '')],
]

/** kubepods, kubepods.slice, kubepods-burstable-pod<uid>.slice (also before a colon), kubelet-kubepods-....slice of kind. */
const podSegment = /^(kubelet-)?kubepods([.-]|$)/

/** Scopes and directories named after their container engine, and the bare 64 digits of a container id under any parent. */
const containerSegment = new RegExp(
  [
    '^(docker|libpod|crio|cri-containerd|nerdctl|buildkit|containerd|podman)(-conmon|-payload)?-[0-9a-f]{12,64}(\\.scope)?$',
    '(^|:)(docker|libpod|crio|cri-containerd|nerdctl|buildkit):[0-9a-z]+$',
    '^[0-9a-f]{64}$',
    '^machine-libpod_pod_[0-9a-f]{12,64}\\.slice$',
    '^machine-(rkt|lxc|nspawn)\\\\x2d.+\\.scope$',
    '^systemd-nspawn@.+\\.service$',
    '^lxc\\.(payload|monitor)(\\..+)?$',
    '^ecstasks(-.+)?\\.slice$',
    '^nomad(-.+)?\\.slice$',
  ].join('|'),
)

/** Whether the segment is a directory whose children are containers. */
function isContainerDirectory(segment: string, index: number, segments: readonly string[]): boolean {
  return containerDirectories.has(segment) && index < segments.length - 1
}

const containerDirectories = new Set(['docker', 'libpod_parent', 'lxc', 'ecs', 'garden', 'mesos', 'nomad'])

/**
 * First segments of what the service manager runs outside containers and sessions: services, virtual machines
 * (machine.slice, qemu.slice) and the manager itself; also the services of OpenRC, and the init, system and
 * podruntime directories of Talos.
 */
const systemRoot = /^([\w.\\@-]+\.(slice|service|scope)|init|openrc(\..+)?|system|podruntime|machine)$/
