/**
 * Parses a saved output of `terraform show -json`: bytes in any encoding that shells write, possibly with other lines
 * around the JSON.
 */
export function parseDocument(bytes: Uint8Array): unknown {
  const text = withoutWrapper(decode(bytes))
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableDocument(
      text.trim() === '' ? 'it is empty' : 'it is not JSON; create it with terraform show -json',
    )
  }
}

export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument'
}

/** PowerShell 5 writes UTF-16 with a byte order mark; TextDecoder drops the mark itself. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** The wrapper of hashicorp/setup-terraform prints its command before the document and workflow commands after it. */
function withoutWrapper(text: string): string {
  let rest = text
  for (let line = wrapperLine.exec(rest); line !== null; line = wrapperLine.exec(rest))
    rest = rest.slice(line[0].length)
  const end = rest.search(/\r?\n::(?:debug|set-output|error|warning)\b/)
  return end < 0 ? rest : rest.slice(0, end)
}

const wrapperLine = /^\s*(?:\[command\]|::)[^\n]*\n/
