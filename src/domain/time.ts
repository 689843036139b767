const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** Milliseconds since 1970; undefined where the text is no RFC 3339 time, such as one of February 30. */
export function parseTime(text: string): number | undefined {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined
  const time = Date.parse(text.replace(' ', 'T').toUpperCase())
  return Number.isNaN(time) ? undefined : time
}
