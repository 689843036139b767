import { join } from 'node:path'
import { createVitest } from 'vitest/node'

// Keeps one vitest for many runs, as a process of its own: the parent sends which file changed and which tests to run, and
// gets back whether one of them failed. The parent ends it when a change makes a loop endless.

const root = process.argv[2]!
const vitest = await createVitest('test', {
  root,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  // Failures are expected, and each would be reported with its source.
  reporters: [{}],
  dangerouslyIgnoreUnhandledErrors: true,
  // A failing property is not made smaller: nobody reads it.
  setupFiles: [join(import.meta.dirname, 'no-shrinking.ts')],
})
process.on('message', async ({ changed, tests }: { changed: string; tests: string[] }) => {
  vitest.invalidateFile(join(root, changed))
  const isNoticed = await fails(tests)
  vitest.invalidateFile(join(root, changed))
  process.send!(isNoticed)
})
process.send!('ready')

async function fails(tests: readonly string[]): Promise<boolean> {
  for (const test of tests) {
    const specification = vitest.getRootProject().createSpecification(join(root, test))
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return true
  }
  return false
}
