import { programFile, readAnyFileSync } from './program-files.ts'

export const version: string = JSON.parse(readAnyFileSync(programFile('package.json')).toString()).version
