/**
 * A strict reader for the YAML that is written here: maps, lists, plain and quoted text, blocks. It refuses everything
 * else.
 */
export function readDocuments(text: string): unknown[] {
  const documents: string[][] = []
  for (const line of text.split('\n')) {
    if (line === '---') documents.push([])
    else if (documents.length > 0) documents.at(-1)!.push(line)
    else if (line !== '' && !line.startsWith('#')) throw new Error(`before the first document: ${line}`)
  }
  return documents.map(readLines)
}

export function readYaml(text: string): unknown {
  return readLines(text.split('\n'))
}

function readLines(lines: readonly string[]): unknown {
  const reader = new Lines(lines)
  const value = reader.node(0)
  if (!reader.done) throw new Error(`left over: ${reader.line}`)
  return value
}

class Lines {
  readonly #lines: string[]
  #at = 0

  constructor(lines: readonly string[]) {
    this.#lines = lines.at(-1) === '' ? lines.slice(0, -1) : [...lines]
  }

  get done(): boolean {
    return this.#at >= this.#lines.length
  }

  get line(): string {
    return this.#lines[this.#at]!
  }

  node(indent: number): unknown {
    const text = this.line.slice(indent)
    if (text.startsWith('- ')) return this.#list(indent)
    if (keyOf(text) !== undefined) return this.#map(indent)
    this.#at++
    return scalar(text)
  }

  #list(indent: number): unknown[] {
    const items: unknown[] = []
    while (!this.done && indentOf(this.line) === indent && this.line.slice(indent).startsWith('- ')) {
      this.#lines[this.#at] = `${' '.repeat(indent + 2)}${this.line.slice(indent + 2)}`
      items.push(this.node(indent + 2))
    }
    return items
  }

  #map(indent: number): Record<string, unknown> {
    const members: Record<string, unknown> = {}
    while (!this.done && indentOf(this.line) === indent && !this.line.slice(indent).startsWith('- ')) {
      const text = this.line.slice(indent)
      const key = keyOf(text)
      if (key === undefined) throw new Error(`no member: ${text}`)
      const name = String(scalar(key))
      if (Object.hasOwn(members, name)) throw new Error(`twice: ${name}`)
      const rest = text.slice(key.length + 1).trim()
      this.#at++
      // Plain assignment would lose a member named __proto__.
      const value = this.#value(rest, indent)
      Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true })
    }
    return members
  }

  #value(rest: string, indent: number): unknown {
    if (rest === '|' || rest === '|-') return this.#block(indent + 2) + (rest === '|' ? '\n' : '')
    if (rest !== '') return scalar(rest)
    const inner = indentOf(this.line)
    if (inner < indent || (inner === indent && !this.line.slice(indent).startsWith('- ')))
      throw new Error(`no value before: ${this.line}`)
    return this.node(inner)
  }

  #block(indent: number): string {
    const lines: string[] = []
    while (!this.done && (this.line === '' || indentOf(this.line) >= indent)) {
      lines.push(this.line.slice(indent))
      this.#at++
    }
    return lines.join('\n')
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length
const keyOf = (text: string): string | undefined =>
  /^("(?:[^"\\]|\\.)*"|[A-Za-z][\w./-]*|\d+(?:m|Mi|Gi)):(?= |$)/.exec(text)?.[1]

function scalar(text: string): unknown {
  if (text.startsWith('"')) return JSON.parse(text)
  if (text === '[]') return []
  if (text === '{}') return {}
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) return Number(text)
  if (/^(true|false)$/.test(text)) return text === 'true'
  if (/^(y|n|yes|no|on|off|null|~|nan|inf)$/i.test(text)) throw new Error(`read differently by some: ${text}`)
  if (/^[A-Za-z][\w./-]*$|^\d+(m|Mi|Gi)$/.test(text)) return text
  throw new Error(`not understood: ${text}`)
}
