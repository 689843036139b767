import { startPostgres } from '../../../test/peers/postgres.ts'
import { contractOn } from './contract-on.case.ts'

contractOn('PostgreSQL', startPostgres, /^\d+/)
