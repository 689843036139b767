/** The address of what all files of this run share; see test/setup.ts. Undefined outside a run, and '' if there is none. */
export async function sharedAddress(name: 'postgres' | 'browser' | 'service'): Promise<string | undefined> {
  const broker = process.env.TEST_SHARED
  if (!broker) return undefined
  const response = await fetch(`${broker}/${name}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
