export const percent = (share: number): string => `${Math.round(share * 100)}%`
export const cores = (value: number): string => `${Number(value.toPrecision(2))} cores`
export const gib = (value: number): string => `${Number(value.toPrecision(2))} GiB`
