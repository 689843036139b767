import text from '../../docs/glossary.md?raw'

/** Every term of docs/glossary.md with its meaning, as shown in tooltips and Help. */
export const glossary: ReadonlyMap<string, string> = new Map(
  [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .filter(([, term]) => term !== 'term')
    .map(([, term, meaning]) => [term!, meaning!.replaceAll('`', '')]),
)
