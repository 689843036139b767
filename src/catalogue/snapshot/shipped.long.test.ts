import { searchesOfShippedCatalogue } from './shipped.case.ts'

searchesOfShippedCatalogue(200)
