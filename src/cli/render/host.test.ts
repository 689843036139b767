import { expect, test } from 'vitest'
import { basePrice, hostCosts } from '../../agent/host-costs.ts'
import type { HostScan, ProcessUse } from '../../agent/scan-once.ts'
import { renderHost } from './host.ts'

const gib = 2 ** 30
const use = (over: Partial<ProcessUse>): ProcessUse => ({
  process: 'nginx',
  group: 'system',
  cgroup: '/system.slice/nginx.service',
  count: 2,
  cores: 0.5,
  memoryBytes: gib,
  ...over,
})
const scan = (over: Partial<HostScan> = {}): HostScan => ({
  vm: 'web-1',
  seconds: 5.003,
  facts: {},
  cores: 4,
  memoryBytes: 16 * gib,
  availableMemoryBytes: 12 * gib,
  processes: [
    use({
      process: 'idle\x1b[2J',
      group: 'user',
      cgroup: `/user.slice/${'x'.repeat(80)}`,
      cores: 0,
      memoryBytes: 2 * gib,
    }),
    use({}),
    use({ process: '(unseen)', cgroup: '/', group: 'unknown', count: 0, cores: 0.25, memoryBytes: 0 }),
  ],
  measurementGaps: [],
  ...over,
})
const render = (told: HostScan, all = false) => renderHost(told, hostCosts(told, basePrice), basePrice, all)

test('renders a host, its processes and the cost of what is unused', () => {
  expect(render(scan())).toBe(
    [
      'web-1: 4 cores, 16.00 GiB, $141.79 a month at base rates. Measured for 5 s.',
      '',
      'PROCESS   COUNT  GROUP    CORES   GIB  A MONTH  IDLE COSTS  CGROUP',
      'nginx         2  system   0.500  1.00   $14.63              /system.slice/nginx.service',
      `idle\ufffd[2J      2  user     0.000  2.00    $6.19       $6.19  \u2026${'x'.repeat(59)}`,
      '(unseen)         unknown  0.250  0.00    $5.77              /',
      '',
      'Waste: $112.11 a month (79%) pays for unused capacity: 3.25 of 4 cores, 12.00 of 16.00 GiB; $6.19 for memory of idle processes.',
    ].join('\n'),
  )
})

test('used and unused costs are together not more than the price of the machine', () => {
  const told = scan()
  const costs = hostCosts(told, basePrice)
  const used = costs.processes.reduce((sum, { perMonthUsd }) => sum + perMonthUsd, 0)
  expect(used + costs.unusedPerMonthUsd).toBeLessThanOrEqual(costs.perMonthUsd)
})

test('of many processes the most expensive are shown, and the rest in one line unless all are requested', () => {
  const many = scan({
    processes: Array.from({ length: 50 }, (_, index) => use({ process: `p${index}`, cores: index / 100 })),
    facts: { provider: 'hetzner', instanceType: 'cx33', region: 'hel1' },
    measurementGaps: ['3 processes cannot be read by this user'],
  })
  const lines = render(many).split('\n')
  expect(lines[0]).toContain('web-1 (cx33 of hetzner in hel1): ')
  expect(lines[3]).toContain('p49')
  expect(lines[23]).toContain('(30 more; --all shows them)')
  expect(lines.at(-1)).toBe('Not measured: 3 processes cannot be read by this user.')
  expect(render(many, true).split('\n').length).toBe(lines.length + 29)
})
