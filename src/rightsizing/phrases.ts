import type { Resource } from './input.ts'

export const percentText = (share: number): string => `${Number((share * 100).toPrecision(2))}%`
export const coresText = (value: number): string => `${Number(value.toPrecision(3))} cores`
export const gibText = (value: number): string => `${Number(value.toPrecision(3))} GiB`
export const amountText = (resource: Resource, value: number): string =>
  (resource === 'cpu' ? coresText : gibText)(value)
export const resourceNames = { cpu: 'CPU', memory: 'Memory' } as const satisfies Record<Resource, string>
export const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`)
/** 2 days; anything shorter than a day is given in hours. */
export function reachText(days: number, hours: number): { readonly long: string; readonly isOne: boolean } {
  const [count, unit] =
    hours < 24 ? [Math.max(1, Math.floor(hours)), 'hour'] : [Math.min(days, Math.ceil(hours / 24)), 'day']
  return { long: `${count} ${unit}${count === 1 ? '' : 's'}`, isOne: count === 1 }
}
