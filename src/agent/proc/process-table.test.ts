import { expect, test } from 'vitest'
import { processName } from './process-table.ts'

const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

test.each([
  ['a program', 'nginx', 'nginx: worker process\0', 'nginx'],
  [
    'a name of the kernel full length',
    'prometheus-node',
    '/usr/bin/prometheus-node-exporter\0--a\0',
    'prometheus-node-exporter',
  ],
  [
    'full length, but the command line says otherwise',
    'exactly-fifteen',
    '/usr/bin/python3\0x.py\0',
    'exactly-fifteen',
  ],
  [
    'a command line that was overwritten',
    'systemd-journal',
    '/lib/systemd/systemd-journald --x',
    'systemd-journald',
  ],
  ['a runtime that names its thread', 'MainThread', '/usr/bin/node\0server.js\0', 'node'],
  ['the same, with no command line', 'MainThread', '', 'MainThread'],
  ['line ends and escapes', 'two\nlines\x1b[2J', '', 'two\ufffdlines\ufffd[2J'],
  ['UTF-8', latin1('größe'), '', 'größe'],
  ['UTF-8 cut in the middle', latin1('größe').slice(0, 3), '', 'gr\ufffd'],
  ['no UTF-8', '\xff\xfe', '', '\ufffd\ufffd'],
  ['nothing', '', '', '(unnamed)'],
])('%s', (_what, comm, commandLine, name) => {
  expect(processName(comm, false, () => commandLine)).toBe(name)
})

test.each([
  ['kworker/0:1-events', 'kworker'],
  ['kworker/u8:2-flush-259:0', 'kworker'],
  ['ksoftirqd/3', 'ksoftirqd'],
  ['jbd2/nvme0n1p1-8', 'jbd2'],
  ['scsi_eh_0', 'scsi_eh'],
  ['kdamond.0', 'kdamond'],
  ['irq/33-xhci_hcd', 'irq'],
  ['kswapd0', 'kswapd'],
  ['rcu_preempt', 'rcu_preempt'],
])('kernel thread %s is %s', (comm, name) => {
  expect(processName(comm, true, () => '')).toBe(name)
})
