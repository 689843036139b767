import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect } from 'vitest'
import { commandsOf } from '../operations/pages.ts'
import { debianBinary } from '../peers/debian-binary.ts'
import { testWith } from '../peers/test-with.ts'
import { packagesOf } from './programs.ts'

const test = testWith('kubernetes-client')

const root = join(import.meta.dirname, '../..')
/** Overlays that the guide applies: kubectl apply -k deploy/kubernetes/base */
const variants = commandsOf('install.md', 'On Kubernetes').map(
  (command) => /^kubectl apply -k deploy\/kubernetes\/(\S+)$/.exec(command)![1]!,
)

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every shape
  readonly spec?: any
}

let packages: string
const built = new Map<string, readonly Manifest[]>()

beforeAll(async () => {
  packages = await packagesOf(
    'kubernetes-models@5.1.0',
    '@kubernetes-models/prometheus-operator@6.0.0',
    'yaml@2',
  )
  const yaml = await import(pathToFileURL(createRequire(join(packages, 'x.js')).resolve('yaml')).href)
  const kubectl = debianBinary('kubectl', 'kubernetes-client')
  for (const variant of variants) {
    const text = execFileSync(kubectl, ['kustomize', join(root, 'deploy/kubernetes', variant)], {
      encoding: 'utf8',
      // New versions of kubectl warn about fields that old versions need.
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    built.set(
      variant,
      yaml.parseAllDocuments(text).map((document: { toJS(): Manifest }) => document.toJS()),
    )
  }
  const values = yaml.parse(
    readFileSync(join(root, 'deploy/prometheus/kube-prometheus-stack-values.yaml'), 'utf8'),
  )
  // The chart passes these values to the object that the Prometheus operator reads.
  const spec = values.prometheus.prometheusSpec
  built.set('kube-prometheus-stack', [
    { apiVersion: 'monitoring.coreos.com/v1', kind: 'Prometheus', metadata: { name: 'chart' }, spec },
  ])
}, 300_000)

/** apps/v1 -> kubernetes-models/apps/v1, which has a class and an interface for each kind. */
const moduleOf = ({ apiVersion }: Manifest): string =>
  apiVersion === 'monitoring.coreos.com/v1'
    ? `@kubernetes-models/prometheus-operator/${apiVersion}`
    : `kubernetes-models/${apiVersion}`

test('every object matches the published schema of its kind, and has no unknown field', () => {
  const scratch = mkdtempSync(join(packages, 'check-'))
  const run = (...words: string[]) => execFileSync(process.execPath, words, { cwd: scratch, stdio: 'pipe' })
  try {
    const lines = [...built.values()].flat().map((manifest, i) => {
      const { kind, metadata } = manifest
      return [
        `import { ${kind} as Kind${i}, type I${kind} as Shape${i} } from ${JSON.stringify(moduleOf(manifest))}`,
        `const object${i}: Shape${i} = ${JSON.stringify(manifest, null, 1)}`,
        `console.log(${JSON.stringify(`${kind} ${metadata.name}`)})`,
        `new Kind${i}(object${i}).validate()`,
      ].join('\n')
    })
    writeFileSync(join(scratch, 'objects.ts'), lines.join('\n'))
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--ignoreConfig']
    run(join(root, 'node_modules/typescript/bin/tsc'), ...flags, '--types', '', 'objects.ts')
    run('objects.ts')
  } catch (error) {
    throw new Error(String((error as { stdout: Buffer }).stdout), { cause: error })
  } finally {
    rmSync(scratch, { recursive: true })
  }
})

describe('guarantees of the manifests', () => {
  const find = (variant: string, kind: string) => built.get(variant)!.find((one) => one.kind === kind)!

  test('one replica on a volume, three on PostgreSQL', () => {
    expect(find('base', 'Deployment').spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
    expect(find('base', 'Deployment').spec.template.spec.volumes).toContainEqual(
      expect.objectContaining({ persistentVolumeClaim: { claimName: 'cheapside-data' } }),
    )
    const { spec } = find('overlays/postgres', 'Deployment')
    expect(spec.replicas).toBe(3)
    expect(spec.template.spec.volumes.map(({ name }: { name: string }) => name)).toEqual(['tmp'])
    expect(built.get('overlays/postgres')!.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim')
  })

  test('the server fits the restricted pod security standard', () => {
    for (const variant of ['base', 'overlays/postgres']) {
      const pod = find(variant, 'Deployment').spec.template.spec
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      for (const word of ['hostPID', 'hostNetwork', 'hostIPC']) expect(pod).not.toHaveProperty(word)
      for (const volume of pod.volumes) expect(volume).not.toHaveProperty('hostPath')
    }
  })

  test('the agent has one capability and no token', () => {
    const pod = find('overlays/agent', 'DaemonSet').spec.template.spec
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(pod.containers[0].securityContext.capabilities).toEqual({ drop: ['ALL'], add: ['SYS_PTRACE'] })
  })

  test('all run the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const manifest of [...built.values()].flat())
      for (const { image } of manifest.spec?.template?.spec.containers ?? [])
        expect(image).toBe(`cheapside:${version}`)
  })
})
