import { everyHostileInput } from './hostile-input.case.ts'

everyHostileInput('SQLite')
everyHostileInput('PostgreSQL')
