import { type DemoWorkload, demoNodes, demoWorkloads } from './world.ts'

export interface DemoPod {
  readonly workload: DemoWorkload
  readonly pod: string
  readonly node: string
  /** Undefined if the pod existed during the whole history. */
  readonly bornDaysAgo: number | undefined
}

/** Places every pod on the node of its cluster that has the most CPU left, as a scheduler would. */
export function placePods(): DemoPod[] {
  const left = new Map(demoNodes.map(({ cluster, name, cores }) => [`${cluster}/${name}`, cores]))
  return demoWorkloads.flatMap((workload) =>
    Array.from({ length: workload.replicas }, (_, index) => {
      const [kind, name] = workload.owner.split('/') as [string, string]
      const among = demoNodes.filter(({ cluster }) => cluster === workload.cluster)
      const leftOn = (node: string) => left.get(`${workload.cluster}/${node}`)!
      const { name: node } = among.reduce((best, each) =>
        leftOn(each.name) > leftOn(best.name) ? each : best,
      )
      left.set(`${workload.cluster}/${node}`, leftOn(node) - workload.requests.cores)
      return {
        workload,
        pod:
          kind === 'StatefulSet' ? `${name}-${index}` : `${name}-6d4f9-${suffixes[index % suffixes.length]}`,
        node,
        bornDaysAgo: index === 0 ? undefined : workload.grewDaysAgo,
      }
    }),
  )
}

const suffixes = ['x7kqp', 'b2mzt', 'h9rwd', 'c4lfn', 'v8sjg', 'n5ytk']
