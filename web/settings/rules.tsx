import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { cores, gib } from '../parts/figures.ts'
import { Skeleton, Trouble } from '../parts/states.tsx'

type Rule = paths['/v1/sizing_rules']['get']['responses'][200]['content']['application/json']['rules'][number]

/** Bounds that every recommended size obeys; the later one counts. */
export function SizingRules() {
  const asked = useQuery({
    queryKey: ['sizing-rules'],
    queryFn: ({ signal }) => answer(service.GET('/v1/sizing_rules', { signal })),
  })
  if (asked.isPending) return <Skeleton lines={2} label="Loading sizing rules" />
  if (asked.error !== null) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  const { rules } = asked.data
  if (rules.length === 0)
    return <p className="note">No sizing rules are set: sizes have no bounds but those of the profile.</p>
  return (
    <ol className="plain-list" aria-label="Sizing rules">
      {rules.map((rule) => (
        <li key={JSON.stringify(rule)}>
          <b>
            {rule.cluster ?? '*'} / {rule.namespace ?? '*'}
          </b>
          : {ruleSaid(rule)}
        </li>
      ))}
    </ol>
  )
}

/** CPU at least 0.1 cores, memory at most 8 GiB, no CPU limits */
export function ruleSaid(rule: Rule): string {
  const bound = (name: string, said: (value: number) => string, least?: number, most?: number) => [
    ...(least === undefined ? [] : [`${name} at least ${said(least)}`]),
    ...(most === undefined ? [] : [`${name} at most ${said(most)}`]),
  ]
  const limits = { none: 'no CPU limits', ratio: 'CPU limits in proportion', quantile: 'CPU limits at p99.9' }
  return [
    ...bound('CPU', cores, rule.min_cpu, rule.max_cpu),
    ...bound('memory', gib, rule.min_memory, rule.max_memory),
    ...(rule.limits === undefined ? [] : [limits[rule.limits]]),
    ...(rule.cpu_memory_ratio === undefined ? [] : [`${rule.cpu_memory_ratio} GiB for each core`]),
  ].join(', ')
}
