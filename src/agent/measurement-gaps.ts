import type { HostReading } from './sampler.ts'

/** Reports what could not be measured, one sentence each, for the operator of the agent. */
export function measurementGaps(reading: HostReading): string[] {
  const { hidepid, hiddenProcesses, scaledProcesses, processes, hasCgroupCounters } = reading
  const gaps: string[] = []
  if (hidepid !== 'off')
    gaps.push(
      `/proc is mounted with hidepid (${hidepid}): processes of other users may be missing; their CPU time is counted as "(unseen)", their memory is not`,
    )
  if (hiddenProcesses > 0) gaps.push(`${hiddenProcesses} processes cannot be read by this user`)
  if (scaledProcesses > 0)
    gaps.push(
      `the memory of ${scaledProcesses} of ${processes} processes is estimated from their resident set size: their proportional set size cannot be read, because they have just ended or because this user lacks CAP_SYS_PTRACE`,
    )
  if (!hasCgroupCounters)
    gaps.push(
      'cgroup counters cannot be read: CPU time of short-lived processes is counted for the machine, not for their cgroups',
    )
  return gaps
}
