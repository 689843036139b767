import type { Resource } from './input.ts'

export const percent = (share: number): string => `${Number((share * 100).toPrecision(2))}%`
export const cores = (value: number): string => `${Number(value.toPrecision(3))} cores`
export const gib = (value: number): string => `${Number(value.toPrecision(3))} GiB`
export const amount = (resource: Resource, value: number): string => (resource === 'cpu' ? cores : gib)(value)
export const nameOf = { cpu: 'CPU', memory: 'Memory' } as const satisfies Record<Resource, string>
export const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
export const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`
