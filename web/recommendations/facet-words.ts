/** The values of each facet, as the service names them, and how they are shown. */
export const kindWords: Readonly<Record<string, string>> = {
  container: 'Container sizes',
  machine: 'Machines',
  idle: 'Idle',
  cluster: 'Cluster nodes',
  volume: 'Volumes',
}

export const stateWords: Readonly<Record<string, string>> = {
  open: 'Open',
  accepted: 'Accepted',
  dismissed: 'Dismissed',
  snoozed: 'Snoozed',
  applied: 'Applied',
}

export const findingWords: Readonly<Record<string, string>> = {
  'crash-loop': 'Crash loop',
  'oom-kills': 'OOM kills',
  throttled: 'Throttled',
  leak: 'Leak',
  'no-requests': 'No requests',
  'no-memory-limit': 'No memory limit',
}

export const riskWords: Readonly<Record<string, string>> = { low: 'Low', medium: 'Medium', high: 'High' }

export const riskTone = { low: 'good', medium: 'warn', high: 'bad' } as const
