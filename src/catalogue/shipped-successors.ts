import { programFile, readAnyFileSync } from '../runtime/program-files.ts'

/** The file of types and those that their provider sells instead; `build/successors.ts` writes it. */
export interface SuccessorsFile {
  readonly format: 1
  readonly licence: string
  readonly credits: readonly string[]
  /** provider, type, successor */
  readonly successors: readonly (readonly [string, string, string])[]
}

let shipped: ReadonlyMap<string, string> | undefined

/** Returns the type that replaces another in the opinion of the file's source; undefined if it names none. */
export function successorOf(provider: string, instanceType: string): string | undefined {
  shipped ??= readShipped()
  return shipped.get(`${provider}\n${instanceType.toLowerCase()}`)
}

function readShipped(): ReadonlyMap<string, string> {
  const text = readAnyFileSync(programFile('catalogue/successors.json')).toString()
  const { successors } = JSON.parse(text) as SuccessorsFile
  return new Map(
    successors.map(([provider, type, successor]) => [`${provider}\n${type.toLowerCase()}`, successor]),
  )
}
