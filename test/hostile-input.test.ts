import { knownHostileInput } from './hostile-input.case.ts'

knownHostileInput('SQLite')
knownHostileInput('PostgreSQL')
