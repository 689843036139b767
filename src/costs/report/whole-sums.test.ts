import { testWholeSums } from './whole-sums.case.ts'

testWholeSums(200)
