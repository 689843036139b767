import { describeSettings } from '../../config.ts'
import { type Command, exitCode, UsageError } from '../command.ts'
import { describeCommand, describeProgram } from '../help.ts'

/** Knows the other commands, so it is made from them. */
export function helpCommand(others: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Show help: help, help settings, help COMMAND',
    operands: '[settings | COMMAND]',
    operandCount: [0, 2],
    run: async ({ operands, out }) => {
      const topic = operands.join(' ')
      const command = others().find(({ name }) => name === topic)
      if (topic === '') out(describeProgram(others()))
      else if (topic === 'settings') out(describeSettings())
      else if (command !== undefined) out(await describeCommand(command))
      else if (others().some(({ name }) => name.startsWith(`${topic} `)))
        out(describeProgram(others(), topic))
      else throw new UsageError(`there is no help for ${JSON.stringify(topic)}`)
      return exitCode.done
    },
  }
}
