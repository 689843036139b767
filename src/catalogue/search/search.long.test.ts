import { searchProperties } from './search-properties.case.ts'

searchProperties(200)
