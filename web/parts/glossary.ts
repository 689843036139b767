import text from '../../docs/glossary.md?raw'

/** The terms of docs/glossary.md with their meaning, as shown in tooltips and Help. */
export const glossary: ReadonlyMap<string, string> = new Map(
  [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .filter(([, term]) => term !== 'term')
    .map(([, term, meaning]) => [term!, meaning!.replaceAll('`', '')]),
)
