import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Most tests wait for a service or a database of their own; with one worker for two cores a whole run takes twice as long.
    maxWorkers: 2,
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    // Tests start real services, databases and browsers: on a machine whose cores others hold, each takes half a minute.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
