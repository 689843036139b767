import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Tests start real services, databases and browsers: on a machine whose cores others hold, each takes half a minute.
const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 }
// A test without an assertion fails.
const expectations = { requireAssertions: true }

// Node strips the types itself: passing every file through Vite costs a tenth of the run's CPU time.
const native = { experimental: { viteModuleRunner: false } }

// `npm test` runs `modules`, `console` and `system`, `npm run test:all` also `long`: peers, ways to install, the operations guide, fuzzing,
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
          include: ['src/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [long],
          // Modules hold no state of their own, so that files may share a worker: loading each anew would take a third of the time.
          isolate: false,
          expect: expectations,
          ...native,
          ...timeouts,
        },
      },
      {
        test: {
          // Pages are written in TSX and texts in Markdown, which Node cannot load.
          name: 'console',
          include: ['web/**/*.test.ts'],
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
          ...native,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'long',
          include: [`{src,test}/${long}`],
          env: { TEST_PICTURES: '1' },
          ...native,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
})
