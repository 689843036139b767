import { type DayCost, forecastCost, minForecastDays } from '../src/costs/allocation/forecast.ts'
import { baseRates } from '../src/domain/money.ts'
import { loadTraces, samplesPerDay, type Trace } from './usage/traces.ts'

// Measures the error of forecasts of a month on real traces, against the naive rule that the rest of the month costs as much a
// day as it did so far. Each 25 series are an organisation; each day from the seventh on is asked for the whole.
//   node bench/forecast.ts
// See bench/usage/traces.ts for where the traces are expected.

const perOrganisation = 25
const monthDays = 28

for (const trace of loadTraces().filter(({ days }) => days >= monthDays)) measure(trace)

function measure(trace: Trace): void {
  const [ours, naive]: [number[], number[]] = [[], []]
  let [asked, inBand] = [0, 0]
  for (let first = 0; first + perOrganisation <= trace.series; first += perOrganisation) {
    const days = dayCosts(trace, first)
    const actual = sumOf(days)
    for (let today = minForecastDays; today < monthDays; today++) {
      const history = days.slice(0, today)
      const soFar = sumOf(history)
      const forecast = forecastCost(history, today, monthDays)!
      const total = soFar + forecast.usd
      ours.push(Math.abs(total - actual) / actual)
      naive.push(Math.abs((soFar / today) * monthDays - actual) / actual)
      asked++
      if (Math.abs(total - actual) <= forecast.spreadUsd) inBand++
    }
  }
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`
  const mean = (values: readonly number[]) =>
    percent(values.reduce((sum, each) => sum + each, 0) / values.length)
  console.log(
    `${trace.name}: mean error ${mean(ours)}, naive ${mean(naive)}; in the band of 80%: ${percent(inBand / asked)} of ${asked}`,
  )
}

function dayCosts({ cpuCores, memoryGib, days }: Trace, first: number): DayCost[] {
  return Array.from({ length: monthDays }, (_, day) => {
    let usd = 0
    for (let series = first; series < first + perOrganisation; series++) {
      const from = (series * days + day) * samplesPerDay
      const mean = (values: Float32Array): number => {
        const known = values.subarray(from, from + samplesPerDay).filter((value) => !Number.isNaN(value))
        return known.reduce((sum, value) => sum + value, 0) / samplesPerDay
      }
      usd += 24 * mean(cpuCores) * baseRates.corePerHourUsd
      if (memoryGib !== undefined) usd += 24 * mean(memoryGib) * baseRates.gibPerHourUsd
    }
    return { day, usd }
  })
}

function sumOf(days: readonly DayCost[]): number {
  return days.reduce((sum, { usd }) => sum + usd, 0)
}
