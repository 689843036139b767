import { flagOf } from '../config.ts'
import { type Command, type CommandOption, commonOptions, exitCode, UsageError } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** `commands` is a function, because the list of commands contains this command too. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: `Print a script that completes commands and options in a shell: ${shells.join(', ')}`,
    operands: 'SHELL',
    notes: [
      'bash: source <(cheapside completion bash)',
      'zsh:  source <(cheapside completion zsh)',
      'fish: cheapside completion fish | source',
    ].join('\n'),
    run: async ({ operands, out }) => {
      const shell = shells.find((name) => name === operands[0])
      if (shell === undefined) throw new UsageError(`SHELL must be one of ${shells.join(', ')}`)
      out(shell === 'fish' ? fishScript(commands()) : shellScript(commands(), shell))
      return exitCode.done
    },
  }
}

function optionsOf({
  options = {},
  settings = [],
}: Command): [string, Pick<CommandOption, 'type' | 'choices' | 'text'>][] {
  const flags = settings.map((name) => [flagOf(name).slice(2), { type: 'string', text: '' }] as const)
  return [...Object.entries({ ...options, ...Object.fromEntries(flags), ...commonOptions })]
}

const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0]!)),
]

const secondWords = (commands: readonly Command[], first: string): string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []))

/** One script for bash and zsh, which has the completion of bash too. Other words are completed as file names. */
function shellScript(commands: readonly Command[], shell: 'bash' | 'zsh'): string {
  const groups = firstWords(commands).flatMap((word) => {
    const more = secondWords(commands, word)
    return more.length === 0 ? [] : [`    ${word}) words='${more.join(' ')}' ;;`]
  })
  const options = commands.map(
    (command) =>
      `    '${command.name}') words='${optionsOf(command)
        .map(([name]) => `--${name}`)
        .join(' ')}' ;;`,
  )
  const choices = Object.entries(commonOptions).flatMap(([name, { choices }]) =>
    choices === undefined
      ? []
      : [`    ${name === 'output' ? '-o|' : ''}--${name}) words='${choices.join(' ')}' ;;`],
  )
  return [
    ...(shell === 'zsh'
      ? ['autoload -U +X compinit && compinit -u', 'autoload -U +X bashcompinit && bashcompinit']
      : []),
    '_cheapside() {',
    `  local words="" word="\${COMP_WORDS[COMP_CWORD]}" name="\${COMP_WORDS[1]}"`,
    `  case "$name" in ${groupPattern(commands)}) [ "$COMP_CWORD" -gt 2 ] && name="$name \${COMP_WORDS[2]}" ;; esac`,
    `  if [ "$COMP_CWORD" -eq 1 ]; then words='${firstWords(commands).join(' ')}'`,
    '  elif [ "$COMP_CWORD" -eq 2 ]; then case "$name" in',
    ...groups,
    '  esac; fi',
    '  case "$word" in -*) case "$name" in',
    ...options,
    '  esac ;; esac',
    `  case "\${COMP_WORDS[COMP_CWORD-1]}" in`,
    ...choices,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _cheapside cheapside',
  ].join('\n')
}

const groupPattern = (commands: readonly Command[]): string =>
  firstWords(commands)
    .filter((word) => secondWords(commands, word).length > 0)
    .join('|')

function fishScript(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const after = (name: string) =>
    name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ')
  const lines = commands.flatMap((command) => {
    const [first, second] = command.name.split(' ')
    const others = second === undefined ? [] : secondWords(commands, first!)
    const when =
      second === undefined
        ? '__fish_use_subcommand'
        : `${after(first!)}; and not __fish_seen_subcommand_from ${others.join(' ')}`
    return [
      `complete -c cheapside -f -n '${when}' -a ${second ?? first} -d ${quoted(command.summary)}`,
      ...optionsOf(command).map(
        ([name, { type, choices, text }]) =>
          `complete -c cheapside -n '${after(command.name)}' -l ${name}${type === 'string' ? ' -r' : ''}${choices === undefined ? '' : ` -f -a '${choices.join(' ')}'`}${text === '' ? '' : ` -d ${quoted(text)}`}`,
      ),
    ]
  })
  const groups = groupPattern(commands)
    .split('|')
    .map((word) => `complete -c cheapside -f -n __fish_use_subcommand -a ${word}`)
  return [...groups, ...lines].join('\n')
}
