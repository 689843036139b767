import { test } from 'vitest'
import { canBeHad, type DebianPackage } from './packages.ts'

/** The test function for what needs these Debian packages. Where one is missing, the test is skipped by name. */
export function testWith(...packages: DebianPackage[]): typeof test {
  return packages.every(canBeHad) ? test : skipped
}

const skipped = test.skip as typeof test

/** The test function for what Linux alone has: /proc, and an address of its own for attackers. Elsewhere the test is skipped by name. */
export const testOnLinux = process.platform === 'linux' ? test : skipped
