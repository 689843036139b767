import { everyHostileInput, knownHostileInput } from './hostile-input.case.ts'

knownHostileInput('SQLite')
knownHostileInput('PostgreSQL')
// It takes less than SQLite does, such as no zero bytes in texts.
everyHostileInput('PostgreSQL')
