import { expect, test } from 'vitest'
import { defaultDataDirectory } from './data-directory.ts'

const person = { platform: 'linux', isRoot: false, home: '/home/ann' } as const

test.each([
  [{}, person, '/home/ann/.local/share/cheapside'],
  [{ XDG_DATA_HOME: '/data/ann' }, person, '/data/ann/cheapside'],
  [{ XDG_DATA_HOME: 'data' }, person, '/home/ann/.local/share/cheapside'],
  [{}, { ...person, isRoot: true }, '/var/lib/cheapside'],
  [{}, { ...person, home: '' }, '/var/lib/cheapside'],
  [
    {},
    { ...person, platform: 'darwin', home: '/Users/ann' },
    '/Users/ann/Library/Application Support/Cheapside',
  ],
  [
    {},
    { platform: 'win32', isRoot: false, home: 'C:\\Users\\ann' },
    'C:\\Users\\ann\\AppData\\Local\\Cheapside',
  ],
  [
    { LOCALAPPDATA: 'D:\\Local' },
    { platform: 'win32', isRoot: false, home: 'C:\\Users\\ann' },
    'D:\\Local\\Cheapside',
  ],
] as const)('%j on %j', (environment, host, directory) => {
  expect(defaultDataDirectory(environment, host)).toBe(directory)
})
