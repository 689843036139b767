import { parseAst } from 'vite'

/** One small change to a source text: the characters from `start` to `end` become `text`. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** Every one-token change that could matter at run time. Types, imports and texts of messages are not changed. */
export function changesOf(source: string): Change[] {
  const changes: Change[] = []
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node)
  return changes.sort((a, b) => a.start - b.start)

  function visit(node: Node): void {
    if (node.type.startsWith('TS') && !typedExpressions.has(node.type)) return
    if (node.type === 'ImportDeclaration') return
    changes.push(...changesOfNode(node, source))
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) for (const one of child) if (isNode(one)) visit(one)
      if (isNode(child)) visit(child)
    }
  }
}

/** Expressions with a type whose inner expression is executed. */
const typedExpressions = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSInstantiationExpression',
])

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function changesOfNode(node: Node, source: string): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operatorChange(node, source)
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-'
        ? [{ start: node.start, end: node.start + 1, text: '' }]
        : []
    case 'UpdateExpression': {
      const operator = node.operator === '++' ? '--' : '++'
      const start = node.prefix ? node.start : node.end - 2
      return [{ start, end: start + 2, text: operator }]
    }
    case 'Literal':
      return literalChange(node)
    case 'ConditionalExpression':
    case 'IfStatement': {
      const test = node.test as Node
      return [true, false].map((value) => ({ start: test.start, end: test.end, text: String(value) }))
    }
    case 'ExpressionStatement': {
      const { type } = node.expression as Node
      return type === 'CallExpression' || type === 'AwaitExpression'
        ? [{ start: node.start, end: node.end, text: ';' }]
        : []
    }
    default:
      return []
  }
}

const otherOperator: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '%': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&': '|',
  '|': '&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '??=': '=',
}

function operatorChange(node: Node, source: string): Change[] {
  const operator = node.operator as string
  const text = otherOperator[operator]
  const left = node.left as Node
  const start = source.indexOf(operator, left.end)
  return text === undefined || start < 0 || start > (node.right as Node).start
    ? []
    : [{ start, end: start + operator.length, text }]
}

function literalChange({ start, end, value }: Node): Change[] {
  if (typeof value === 'boolean') return [{ start, end, text: String(!value) }]
  if (typeof value === 'number') return [{ start, end, text: String(value + 1) }]
  return []
}
