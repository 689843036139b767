import { testWholeSums } from './whole-sums.case.ts'

testWholeSums(10_000)
