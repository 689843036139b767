import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Most tests wait for a service or a database of their own: as many workers as cores would leave a quarter of them idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    // Tests start real services, databases and browsers: on a machine whose cores others hold, each takes half a minute.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
