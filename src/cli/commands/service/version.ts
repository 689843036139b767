import { version } from '../../../runtime/version.ts'
import { type Command, exitCode } from '../../command.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version',
  run: async ({ json, out }) => {
    out(json ? JSON.stringify({ version, node: process.version }) : version)
    return exitCode.done
  },
}
