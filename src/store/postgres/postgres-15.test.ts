import { startOwnPostgres } from '../../../test/peers/postgres.ts'
import { contractOn } from './contract-on.case.ts'

contractOn('PostgreSQL 15', () => startOwnPostgres('debian-15'), /^15\./)
