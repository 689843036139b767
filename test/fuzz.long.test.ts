import { expect, test } from 'vitest'
import { asCommand } from './fuzz/request.ts'
import { runFuzz } from './fuzz/run.ts'

// A short run of test/fuzz.ts. The duration of answers is not checked here, only by that command.

test.each(['sqlite', 'postgres'] as const)(
  '2,000 requests generated from the API document are answered as documented, on %s',
  async (database) => {
    const { tally, findings } = await runFuzz({
      database,
      requests: 2_000,
      seed: 1,
      slowMs: Number.POSITIVE_INFINITY,
    })
    const found = findings.list.map(({ index, verdict, request }) => ({
      index,
      ...verdict,
      command: request && asCommand(request, 'x-api-key'),
    }))
    expect(found).toEqual([])
    expect(tally.requests).toBeGreaterThanOrEqual(2_000)
    for (const status of ['200', '201', '204', '400', '401', '403', '404', '405', '406', '415', '422'])
      expect(tally.byStatus.get(status), status).toBeGreaterThan(0)
  },
  600_000,
)
