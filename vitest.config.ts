import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'],
    // Tests start real services, databases and browsers: on a machine whose cores others hold, each takes half a minute.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
