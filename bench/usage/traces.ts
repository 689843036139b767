import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** Real usage in five-minute samples: [series][day][288], NaN if missing. The traces are not part of the repository. */
export interface Trace {
  readonly name: string
  readonly series: number
  readonly days: number
  readonly cpuCores: Float32Array
  readonly memoryGib: Float32Array | undefined
}

export const samplesPerDay = 288

export function loadTraces(directory = process.env.CHEAPSIDE_TRACES ?? '../shared/data/traces'): Trace[] {
  if (!existsSync(directory)) {
    console.error(`no traces in ${directory}: set CHEAPSIDE_TRACES to a directory that has them`)
    process.exit(2)
  }
  return ['bitbrains_fast', 'google2011', 'planetlab'].map((name) => {
    const description = JSON.parse(readFileSync(`${directory}/${name}.json`, 'utf8'))
    const read = (file: string) =>
      new Float32Array(gunzipSync(readFileSync(`${directory}/${file}`)).buffer.slice(0))
    return {
      name,
      series: description.series.length,
      days: description.days,
      cpuCores: read(description.cpu.file),
      memoryGib: description.mem && read(description.mem.file),
    }
  })
}
