/** Rounds up to the next whole millicore and MiB: finer sizes are not used, and costs are calculated from the rounded values. */
export const roundUpSize = (resource: 'cpu' | 'memory', value: number): number => {
  const steps = resource === 'cpu' ? 1000 : 1024
  return Math.ceil(Number((value * steps).toPrecision(12))) / steps
}
