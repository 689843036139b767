/**
 * Finds the names in which a module keeps state: bindings that are reassigned, or whose value can be changed. It works on
 * the text of formatted code, in which statements of a module begin in the first column and their content is indented.
 * Functions, numbers, texts, regular expressions, and literals that nothing in the file changes are not state. Neither are
 * sets and maps that are declared read-only, which the compiler enforces.
 */
export function moduleState(text: string): string[] {
  const code = text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/[^\n]*/g, '$1')
  const found: string[] = []
  for (const statement of code.split(/\n(?=[a-z@])/)) {
    const [, kind, binding] = /^(?:export )?(let|var|const) (?!enum )(.*)/s.exec(statement) ?? []
    if (binding !== undefined) {
      const at = binding.search(/ =\s/)
      const [declared, value] = at < 0 ? [binding, ''] : [binding.slice(0, at), binding.slice(at + 2).trim()]
      for (const name of namesIn(declared))
        if (kind !== 'const' || holdsState(declared, value) || isChanged(name, code)) found.push(name)
    }
    if (/^(export )?(abstract )?class /.test(statement))
      for (const [, name] of statement.matchAll(
        /^ {2}static (?!readonly \w+ = ['"\d])(?:readonly )?(#?\w+)[^(\n]*=/gm,
      ))
        found.push(name!)
  }
  return found
}

function namesIn(declared: string): string[] {
  return declared
    .replace(/: .*/s, (type) => (/^[[{]/.test(declared) ? type.replace(/.*[\]}]/s, '') : ''))
    .split(/[[\]{},\s]+/)
    .filter((name) => name !== '')
}

const isFunction = /^(async )?(<[^>]*>)?(\([^()]*(\([^()]*\)[^()]*)*\)[^=]*|\w+) =>|^(async )?function\b/
const stateless = /new (RegExp|TextEncoder|TextDecoder|Intl\.\w+|Error|URL)\(/g
const creates =
  /\bnew [\w.]+|\b\w+Array\.(of|from)\(|\b(Array|Buffer)\.(from|alloc\w*)\(|\bObject\.create\(|\bmemoize\w*\(|^[a-z]\w*\(|^(\[\]|\{\})|^\(\s*(async )?\(|\.(map|fill|slice|split|groupBy)\(/

function holdsState(declared: string, value: string): boolean {
  if (isFunction.test(value) || /^Object\.freeze\((?!new )/.test(value)) return false
  if (/: (number|string|boolean|bigint)$/.test(declared)) return false
  if (/: Readonly(Set|Map)</.test(declared) && /^(new (Set|Map)\(|Map\.groupBy\()/.test(value)) return false
  if (/: readonly [^=]*\[\]$/.test(declared))
    return /\bnew (?!Set\()[\w.]+/.test(value.replace(stateless, ''))
  return creates.test(value.replace(stateless, ''))
}

/** Whether the file assigns to the binding or to its content, or calls a mutating method on it. */
function isChanged(name: string, code: string): boolean {
  const use = `(?<![\\w.#'"\`-])${name.replace('$', '\\$')}(?:\\.\\w+|\\[[^\\]\\n]*\\]!?)*`
  const assigned = new RegExp(
    `(?<!(?:const|let|readonly|type) )${use}!?(?:\\.\\w+|\\[[^\\]\\n]*\\]!?) *(?:(?:[-+*/%|&^]|\\*\\*|<<|>>>?|\\?\\?|\\|\\||&&)?=(?![=>])|\\+\\+|--)`,
  )
  const method = new RegExp(
    `${use}!?\\.(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear|copyWithin)\\(`,
  )
  return assigned.test(code) || method.test(code)
}
