/** Up to the next whole millicore and MiB: finer sizes nobody sets, and the money is worked out with what is said. */
export const roundUpSize = (resource: 'cpu' | 'memory', value: number): number => {
  const steps = resource === 'cpu' ? 1000 : 1024
  return Math.ceil(Number((value * steps).toPrecision(12))) / steps
}
