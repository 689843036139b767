import { test } from 'vitest'
import { canBeHad, type DebianPackage } from './packages.ts'

/** The test function for what needs these Debian packages. Where one is missing, the test is skipped by name. */
export function testWith(...packages: DebianPackage[]): typeof test {
  return packages.every(canBeHad) ? test : (test.skip as typeof test)
}
