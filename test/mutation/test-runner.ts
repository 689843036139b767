import { join } from 'node:path'
import { createVitest } from 'vitest/node'

// Uses one vitest process for many runs: the parent sends which file changed and which test to run, and receives whether it
// failed. The parent ends the process if a change makes a loop endless.

const root = process.argv[2]!
const vitest = await createVitest('test', {
  root,
  // Each run must load the changed file again, whichever project the test belongs to.
  config: false,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  // Failures are expected, and each would be reported with its source.
  reporters: [{}],
  dangerouslyIgnoreUnhandledErrors: true,
  // Failing properties are not minimised, because nobody reads them.
  setupFiles: [join(import.meta.dirname, 'no-shrinking.ts')],
})
process.on('message', async ({ changed, test }: { changed: string; test: string }) => {
  vitest.invalidateFile(join(root, changed))
  const specification = vitest.getRootProject().createSpecification(join(root, test))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  // The original file is restored before the next run.
  vitest.invalidateFile(join(root, changed))
  process.send!(unhandledErrors.length > 0 || testModules.some((module) => !module.ok()))
})
process.send!('ready')
