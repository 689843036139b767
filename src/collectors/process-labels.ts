import type { ProcessSubject } from '../domain/subject.ts'
import type { SeriesLabels } from './series-labels.ts'

/** The agent names all four; process exporters name a group of processes, and their machine by the scraped address. */
export function processSubject(series: SeriesLabels): ProcessSubject | undefined {
  const process = series.first('process', 'groupname')
  const vm = series.first('vm', 'nodename', 'hostname', 'node') || host(series.get('instance'))
  if (process === '' || vm === '') return undefined
  const group = series.get('group')
  return {
    kind: 'process',
    vm,
    group: groups.has(group) ? group : 'unknown',
    process,
    cgroup: series.get('cgroup'),
  }
}

const groups = new Set(['kubernetes', 'docker', 'user', 'system'])

/** "web-1:9256" and "[::1]:9256" without the port. */
const host = (address: string): string => address.replace(/:\d+$/, '')
