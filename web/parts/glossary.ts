import text from '../../docs/glossary.md?raw'

/** Every term of docs/glossary.md with its meaning: what tooltips and Help say. */
export const glossary: ReadonlyMap<string, string> = new Map(
  [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .filter(([, term]) => term !== 'term')
    .map(([, term, meaning]) => [term!, meaning!.replaceAll('`', '')]),
)
