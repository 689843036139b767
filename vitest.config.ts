import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Tests start real services, databases and browsers: on a machine whose cores others hold, each takes half a minute.
const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 }
// A test without an assertion fails.
const expectations = { requireAssertions: true }

// `npm test` runs `modules` and `system`, `npm run test:all` also `long`: peers, ways to install, the operations guide, fuzzing,
// long properties, every picture of the console, and older versions of PostgreSQL.
const long = '**/*.long.test.ts'

export default defineConfig({
  test: {
    // Many tests wait for a service, a time limit or a database: as many workers as cores would leave a third of them idle.
    maxWorkers: availableParallelism() + 2,
    globalSetup: 'test/setup.ts',
    projects: [
      {
        test: {
          name: 'modules',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [long],
          // Modules hold no state of their own, so that files may share a worker: loading each anew would take a third of the time.
          isolate: false,
          expect: expectations,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/**/*.test.ts'],
          exclude: [long],
          isolate: false,
          setupFiles: 'test/one-catalogue.ts',
          expect: expectations,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'long',
          include: [`{src,test}/${long}`],
          env: { TEST_PICTURES: '1' },
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
})
