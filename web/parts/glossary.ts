import text from '../../docs/glossary.md?raw'

/** Terms for those who read the code or operate the service. */
const internal: ReadonlySet<string> = new Set([
  ...['snapshot', 'manifest', 'importer', 'need', 'journal', 'digest', 'distribution', 'checkpoint'],
  ...['subject', 'policy', 'advice', 'store', 'topic', 'lease', 'spool', 'problem', 'part', 'node'],
])

/** The terms of docs/glossary.md that users meet, with their meaning, as shown in tooltips and Help. */
export const glossary: ReadonlyMap<string, string> = new Map(
  [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
    .filter(([, term]) => term !== 'term' && !internal.has(term!))
    .map(([, term, meaning]) => [term!, meaning!.replaceAll('`', '')]),
)
