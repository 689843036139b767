import { createHash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { dailyUsage } from '../../rightsizing/history/days.ts'
import { resourceHistory } from '../../rightsizing/history/history.ts'
import type { Resource } from '../../rightsizing/input.ts'
import { cpuFeatures, memoryFeatures } from '../../rightsizing/model/features.ts'
import { baseNames, bases, featureNames, logMultiples } from '../../rightsizing/model/grid.ts'
import type { SizingModel } from '../../rightsizing/model/model.ts'
import { baseModelOf, type StorableModel } from '../../rightsizing/model/predict.ts'
import type { StoredModel } from '../../store/port.ts'
import { Distribution } from '../../usage/distribution/distribution.ts'

/** Increase it when the meaning of a model changes but its format does not. */
const meaning = 1

/**
 * Encodes a model for the store: V8's serialisation, compressed by Zstandard. 1,800 rows take 3.3 MB, compressed 0.9
 * MB.
 */
export const encodeModel = (model: StorableModel, trainedAt: number): StoredModel => ({
  trainedAt,
  format: formatName(),
  bytes: new Uint8Array(zstdCompressSync(serialize(storableModel(model)))),
})

/** Returns undefined if a program version with another format trained the model. */
export const decodeModel = ({ format, bytes }: StoredModel): SizingModel | undefined =>
  format === formatName() ? sizingModel(deserialize(zstdDecompressSync(bytes))) : undefined

/** Leaves out what can be derived again. */
function storableModel({ risks, shortfalls, ...model }: StorableModel): StorableModel {
  const stored = baseNames.flatMap((name) => {
    const base = model[name]
    return base === undefined ? [] : [[name, { forest: base.forest, meanBase: base.meanBase }]]
  })
  return { ...Object.fromEntries(stored), risks, shortfalls }
}

function sizingModel({ risks, shortfalls, ...stored }: StorableModel): SizingModel {
  const models = baseNames.flatMap((name) => {
    const base = stored[name]
    return base === undefined ? [] : [[name, baseModelOf(base)]]
  })
  return { ...Object.fromEntries(models), risks, shortfalls }
}

let known: string | undefined

/** Identifies the meaning of a model's numbers: the grid, the bases and the features in their order. */
function formatName(): string {
  const namesOf = (resource: Resource): string[] => {
    const [cpu, memory] = [Distribution.of(1e6), Distribution.of(2 ** 30)]
    const usage = dailyUsage(resourceHistory([{ startHour: 0, hours: 1, cpu, memory }], resource), 1)
    return featureNames((resource === 'cpu' ? cpuFeatures : memoryFeatures)(usage, 1)!)
  }
  known ??= createHash('sha256')
    .update(JSON.stringify([meaning, Array.from(logMultiples), bases, namesOf('cpu'), namesOf('memory')]))
    .digest('hex')
    .slice(0, 16)
  return known
}
