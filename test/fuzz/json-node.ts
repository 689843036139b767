/**
 * JSON as it will be written. Unlike a JavaScript value it can have duplicate members, numbers beyond a double, 20,000
 * brackets and unpaired surrogates.
 */
export type JsonNode =
  | { readonly raw: string }
  | { readonly items: readonly JsonNode[] }
  | { readonly members: readonly (readonly [name: string, value: JsonNode])[] }

export function writeJson(node: JsonNode): string {
  if ('raw' in node) return node.raw
  if ('items' in node) return `[${node.items.map(writeJson).join(',')}]`
  return `{${node.members.map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value)}`).join(',')}}`
}

export function toJsonNode(value: unknown): JsonNode {
  if (Array.isArray(value)) return { items: value.map(toJsonNode) }
  if (typeof value === 'object' && value !== null)
    return { members: Object.entries(value).map(([name, member]) => [name, toJsonNode(member)] as const) }
  return { raw: JSON.stringify(value) }
}

/** Variants of the node in which one part is missing or shorter; the largest reductions come first. */
export function* smallerJson(node: JsonNode): Generator<JsonNode> {
  if ('raw' in node) {
    for (const raw of smallerRaw(node.raw)) yield { raw }
  } else if ('items' in node) {
    yield* smallerList(node.items, (items) => ({ items }), smallerJson)
  } else {
    yield* smallerList(
      node.members,
      (members) => ({ members }),
      function* ([name, value]) {
        for (const smaller of smallerJson(value)) yield [name, smaller] as const
        for (const shorter of halves(name)) yield [shorter, value] as const
      },
    )
  }
}

/** Variants of the list without some of its items, largest reductions first, then with one item smaller. */
export function* smallerList<Item, Result>(
  list: readonly Item[],
  build: (list: readonly Item[]) => Result,
  smallerItem: (item: Item) => Iterable<Item>,
): Generator<Result> {
  for (let length = list.length; length >= 1; length = Math.floor(length / 2)) {
    for (let from = 0; from < list.length; from += length) yield build(list.toSpliced(from, length))
  }
  for (const [index, item] of list.entries()) {
    for (const smaller of smallerItem(item)) yield build(list.with(index, smaller))
  }
}

/** Shorter variants of a text: empty, halves, then a little shorter each. */
export function* halves(text: string): Generator<string> {
  if (text.length === 0) return
  yield ''
  for (let length = text.length >> 1; length >= 1; length >>= 2) {
    yield text.slice(0, text.length - length)
    yield text.slice(length)
  }
}

function* smallerRaw(raw: string): Generator<string> {
  if (raw.length <= 1) return
  const nesting = /^(\[+)(\]*)$/.exec(raw)
  if (nesting !== null) {
    const most = nesting[1]!.length
    for (const depth of [most >> 1, most - (most >> 2), most - (most >> 4), most - (most >> 6), most - 1])
      yield '['.repeat(depth) + ']'.repeat(Math.min(depth, nesting[2]!.length))
  } else if (raw.startsWith('"')) {
    const text = parseText(raw)
    for (const shorter of halves(text ?? raw)) yield JSON.stringify(shorter)
  } else {
    yield '0'
  }
}

function parseText(raw: string): string | undefined {
  try {
    return String(JSON.parse(raw))
  } catch {
    return undefined
  }
}
