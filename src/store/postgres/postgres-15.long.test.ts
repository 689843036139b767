import { describe } from 'vitest'
import { canBeHad } from '../../../test/peers/packages.ts'
import { startOwnPostgres } from '../../../test/peers/postgres.ts'
import { contractOn } from './contract-on.case.ts'

describe.skipIf(!canBeHad('postgresql-15'))('an older server', () =>
  contractOn('PostgreSQL 15', () => startOwnPostgres({ release: 'debian-15' }), /^15\./),
)
