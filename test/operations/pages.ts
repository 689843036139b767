import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The code block of a page of the guide that has this language and contains this text. */
export function blockOf(page: string, language: string, holds = ''): string {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations', page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  const found = blocks.find(([, of, block]) => of === language && block!.includes(holds))
  if (found === undefined)
    throw new Error(`${page} has no block of ${language} with ${JSON.stringify(holds)}`)
  return found[2]!
}

/** The commands of a section, which are indented by four spaces, without comments. */
export function commandsOf(page: string, heading: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/operations', page), 'utf8')
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`${page} has no section ${heading}`)
  return [...section.matchAll(/^ {4}(.+)$/gm)].map(([, line]) => line!.split(' #')[0]!.trim())
}

/** Replaces values of the guide by those of this machine. Each must occur in the block. */
export function adapted(block: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The block says nothing of ${from}:\n${text}`)
    return text.replaceAll(from, to)
  }, block)
}
