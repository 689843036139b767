import type { paths } from '../api/schema.ts'
import { cores, gib } from '../parts/figures.ts'

export type Rule =
  paths['/v1/sizing_rules']['get']['responses'][200]['content']['application/json']['rules'][number]

export const limitWords = {
  none: 'no CPU limits',
  ratio: 'CPU limits in proportion',
  quantile: 'CPU limits at p99.9',
} as const

/** Returns text such as "prod / team-*". */
export const rulePlace = ({ cluster, namespace, workload, container, image, labels = {} }: Rule): string =>
  [
    [
      cluster ?? '*',
      namespace ?? '*',
      ...((workload ?? container) ? [workload ?? '*'] : []),
      ...(container ? [container] : []),
    ].join(' / '),
    ...(image ? [`image ${image}`] : []),
    ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  ].join(', ')

/** Returns text such as "CPU at least 0.1 cores, memory at most 8 GiB, no CPU limits". */
export function ruleText(rule: Rule): string {
  const bound = (name: string, said: (value: number) => string, least?: number, most?: number) => [
    ...(least === undefined ? [] : [`${name} at least ${said(least)}`]),
    ...(most === undefined ? [] : [`${name} at most ${said(most)}`]),
  ]
  return [
    ...(rule.exclude ? ['sizes stay as they are'] : []),
    ...(rule.managed_by === undefined ? [] : [`managed by ${rule.managed_by}, in no patch`]),
    ...(rule.profile === undefined ? [] : [`${rule.profile} profile`]),
    ...(rule.risk === undefined ? [] : [`risk ${rule.risk}`]),
    ...(rule.qos === undefined ? [] : [`QoS ${rule.qos}`]),
    ...bound('CPU', cores, rule.min_cpu, rule.max_cpu),
    ...bound('memory', gib, rule.min_memory, rule.max_memory),
    ...(rule.limits === undefined ? [] : [limitWords[rule.limits]]),
    ...(rule.cpu_memory_ratio === undefined ? [] : [`${rule.cpu_memory_ratio} GiB for each core`]),
  ].join(', ')
}
