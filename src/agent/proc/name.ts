/**
 * What a process is called: its comm, as text that is fit to be shown and sent. The kernel keeps 15 bytes of it, so that a
 * longer name is completed from the command line; some runtimes name their main thread instead, and then the program's
 * name is better.
 */
export function processName(comm: string, kernelThread: boolean, commandLine: () => string): string {
  if (kernelThread) return plain(comm).replace(kernelThreadDetail, '') || '(unnamed)'
  if (threadNames.has(comm)) return programOf(commandLine()) || comm
  if (comm.length >= 15) {
    const program = programOf(commandLine())
    if (program.startsWith(plain(comm))) return program
  }
  return plain(comm) || '(unnamed)'
}

/** kworker/0:1-events, ksoftirqd/3, jbd2/sda1-8, scsi_eh_0: one name for all that do the same. */
const kernelThreadDetail = /[/:].*$|[._-]?\d+$/s

/** Node.js names its main thread. */
const threadNames = new Set(['MainThread', 'node-MainThread'])

/** The last part of the first word. A command line is NUL between words; one that was overwritten has blanks. */
function programOf(commandLine: string): string {
  const word = commandLine.split('\0')[0]!.split(' ')[0]!.replace(/:$/, '')
  return plain(word.slice(word.lastIndexOf('/') + 1)).slice(0, 64)
}

/** Bytes as UTF-8; what is none, and what a terminal would obey, as a mark. */
function plain(bytes: string): string {
  if (/^[\x20-\x7e]*$/.test(bytes)) return bytes
  return Buffer.from(bytes, 'latin1')
    .toString('utf8')
    .replace(/\p{Cc}/gu, '\ufffd')
}
