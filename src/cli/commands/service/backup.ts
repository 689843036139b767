import type { Call, Command, CommandOption } from '../../command.ts'

const force = (text: string): Readonly<Record<string, CommandOption>> => ({
  force: { type: 'boolean', text },
})

const addressOf = ({ settings: { data, databaseUrl }, environment }: Call) => ({
  dataDirectory: data,
  databaseUrl,
  environment,
})

/** Work on the database itself, whether or not a service runs on it. */
export const backupCommands: readonly Command[] = [
  {
    name: 'backup',
    summary: 'Write the database of this machine to a file, also while a service runs on it',
    operands: 'FILE',
    settings: ['data'],
    options: force('Replace FILE if it exists'),
    notes:
      'The file contains keys, own prices and usage, and only its owner may read it. It holds everything that the service\n' +
      'acknowledged before the command began. With DATABASE_URL it is made by pg_dump, which must be installed.',
    run: async (call) => {
      const { backUpStore } = await import('../../../store/backup.ts')
      const [file] = call.operands as [string]
      const bytes = await backUpStore(addressOf(call), file, call.flag('force'))
      return call.show({ file, bytes }, () => `Wrote ${file}, ${(bytes / 2 ** 20).toFixed(1)} MiB.`)
    },
  },
  {
    name: 'restore',
    summary: 'Restore the database of this machine from a backup while no service runs on it',
    operands: 'FILE',
    settings: ['data'],
    options: force('Replace the database if there is one'),
    notes:
      'What was added after the backup is lost, and keys that were revoked since are valid again. If anything fails, the\n' +
      'database stays as it was. With DATABASE_URL it uses pg_restore and psql, which must be installed.',
    run: async (call) => {
      const { restoreStore } = await import('../../../store/backup.ts')
      const [file] = call.operands as [string]
      await restoreStore(addressOf(call), file, call.flag('force'))
      return call.show({ file }, () => `Restored ${file}. Start the service.`)
    },
  },
]
