import { join } from 'node:path'
import { createVitest } from 'vitest/node'

// Keeps one vitest for many runs, as a process of its own: the parent sends which file changed and which test to run, and
// gets back whether it failed. The parent ends it when a change makes a loop endless.

const root = process.argv[2]!
const vitest = await createVitest('test', {
  root,
  // Each run must load the changed file anew, whichever project the test belongs to.
  config: false,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  // Failures are expected, and each would be reported with its source.
  reporters: [{}],
  dangerouslyIgnoreUnhandledErrors: true,
  // A failing property is not made smaller: nobody reads it.
  setupFiles: [join(import.meta.dirname, 'no-shrinking.ts')],
})
process.on('message', async ({ changed, test }: { changed: string; test: string }) => {
  vitest.invalidateFile(join(root, changed))
  const specification = vitest.getRootProject().createSpecification(join(root, test))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  // The file is put back before the next run.
  vitest.invalidateFile(join(root, changed))
  process.send!(unhandledErrors.length > 0 || testModules.some((module) => !module.ok()))
})
process.send!('ready')
