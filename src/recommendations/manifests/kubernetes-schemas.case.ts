/**
 * Kubernetes' published schemas of the objects that are written here: names, types and required fields. Fields that
 * are never written are left out, and unknown fields are refused. Each schema was compared with its source in
 * November 2026:
 * kubernetes/kubernetes, api/openapi-spec/v3/
 *   apis__apps__v1_openapi.json (0032f46): DeploymentSpec, StatefulSetSpec, DaemonSetSpec, ReplicaSetSpec;
 *   apis__batch__v1_openapi.json (0021731): CronJobSpec, JobTemplateSpec, JobSpec, PodTemplateSpec, PodSpec, Container,
 *     ResourceRequirements; containers and initContainers are merged by name, which parts of them rely on;
 *   api__v1_openapi.json (001a778): ResourceQuotaSpec, ReplicationControllerSpec, Quantity;
 * kubernetes/autoscaler, vertical-pod-autoscaler/deploy/vpa-v1-crd-gen.yaml;
 * kubernetes-sigs/kustomize, api/types/kustomization.go (04e51ad), patch.go, selector.go: unknown fields are an error there.
 * Server-side apply and patches may leave out other required fields of whole objects, as Kubernetes' own apply
 * configurations do (kubernetes.io/docs/reference/using-api/server-side-apply): `selector` of all but a
 * ReplicationController, `schedule` of a CronJob, `containers` of a pod. `template`, which a ReplicaSet may lack, is
 * always written.
 * A Job is never written, because its template cannot be changed.
 */
type Schema = Record<string, unknown>

const text: Schema = { type: 'string' }
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const listOf = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 })

/** The pattern of the VerticalPodAutoscaler's definition, which is that of resource.Quantity. */
export const quantityPattern =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/
const quantities = (names: string): Schema => ({
  type: 'object',
  patternProperties: { [names]: { type: 'string', pattern: quantityPattern.source } },
  additionalProperties: false,
})

/** DNS subdomain; kubernetes.io/docs/concepts/overview/working-with-objects/names. */
const name: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$', maxLength: 253 }
const metadata = object({ name, namespace: { ...name, maxLength: 63 } }, ['name'])

const container = object(
  {
    name: { ...name, maxLength: 63 },
    resources: object({
      requests: quantities('^(cpu|memory)$'),
      limits: quantities('^(cpu|memory)$'),
    }),
  },
  ['name'],
)
const podTemplate = object({
  spec: object({ containers: listOf(container), initContainers: listOf(container) }),
})
const templated = object({ template: podTemplate }, ['template'])

const kind = (apiVersion: string, name: string, spec: Schema): Schema =>
  object({ apiVersion: { const: apiVersion }, kind: { const: name }, metadata, spec }, [
    'apiVersion',
    'kind',
    'metadata',
    'spec',
  ])

export const schemas: Readonly<Record<string, Schema>> = {
  Deployment: kind('apps/v1', 'Deployment', templated),
  StatefulSet: kind('apps/v1', 'StatefulSet', templated),
  DaemonSet: kind('apps/v1', 'DaemonSet', templated),
  ReplicaSet: kind('apps/v1', 'ReplicaSet', templated),
  ReplicationController: kind('v1', 'ReplicationController', templated),
  CronJob: kind('batch/v1', 'CronJob', object({ jobTemplate: object({ spec: templated }) }, ['jobTemplate'])),
  Component: object(
    {
      apiVersion: { const: 'kustomize.config.k8s.io/v1alpha1' },
      kind: { const: 'Component' },
      patches: {
        type: 'array',
        items: object(
          { patch: text, target: object({ group: text, version: text, kind: text, name: text }) },
          ['patch', 'target'],
        ),
      },
    },
    ['apiVersion', 'kind', 'patches'],
  ),
  ResourceQuota: kind(
    'v1',
    'ResourceQuota',
    object({ hard: quantities('^(limits|requests)\\.(cpu|memory)$') }),
  ),
  VerticalPodAutoscaler: kind(
    'autoscaling.k8s.io/v1',
    'VerticalPodAutoscaler',
    object(
      {
        targetRef: object({ apiVersion: text, kind: text, name: text }, ['kind', 'name']),
        updatePolicy: object({
          updateMode: { enum: ['Off', 'Initial', 'Recreate', 'InPlaceOrRecreate', 'InPlace', 'Auto'] },
        }),
        resourcePolicy: object({
          containerPolicies: listOf(
            object({
              containerName: text,
              mode: { enum: ['Auto', 'Off'] },
              controlledResources: listOf(text),
              controlledValues: { enum: ['RequestsAndLimits', 'RequestsOnly'] },
              minAllowed: quantities('^(cpu|memory)$'),
              maxAllowed: quantities('^(cpu|memory)$'),
            }),
          ),
        }),
      },
      ['targetRef'],
    ),
  ),
}
