/** A step of action.yml or of the GitLab template: its script and its variables. */
export interface Step {
  readonly env: Readonly<Record<string, string>>
  readonly script: string
}

/** The steps of a composite action. It supports only the YAML of this project: scalars on one line, scripts as blocks. */
export function stepsOf(action: string): Step[] {
  const [, steps = ''] = action.split(/^ {2}steps:\n/m)
  return steps
    .split(/^ {4}- /m)
    .slice(1)
    .map((step) => ({
      env: scalarsIn(section(step, '      env:')),
      script: unindented(section(step, '      run: |')),
    }))
}

/** The defaults of an action's inputs. */
export function inputsOf(action: string): Record<string, string> {
  const inputs = section(action, 'inputs:')
  return Object.fromEntries(
    [...inputs.matchAll(/^ {2}([\w-]+):\n((?: {4}.*\n)+)/gm)].map(([, name, body]) => [
      name!,
      scalar(/^ {4}default: (.*)$/m.exec(body!)?.[1] ?? ''),
    ]),
  )
}

/** The job of the GitLab template. */
export function jobOf(template: string): Step {
  return {
    env: scalarsIn(section(template, '  variables:')),
    script: unindented(section(template, '    - |')),
  }
}

/** The lines that are indented below a line. */
function section(text: string, head: string): string {
  const lines = text.split('\n')
  const at = lines.indexOf(head)
  if (at < 0) return ''
  const indent = head.length - head.trimStart().length
  const end = lines.findIndex(
    (line, i) => i > at && line !== '' && line.length - line.trimStart().length <= indent,
  )
  return `${lines.slice(at + 1, end < 0 ? undefined : end).join('\n')}\n`
}

function scalarsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^ +([\w-]+): (.*)$/gm)].map(([, name, value]) => [name!, scalar(value!)]),
  )
}

const scalar = (text: string): string => /^'(.*)'$/.exec(text)?.[1] ?? text

function unindented(text: string): string {
  const indent = /^ */.exec(text)![0]
  return text
    .split('\n')
    .map((line) => line.slice(indent.length))
    .join('\n')
}
