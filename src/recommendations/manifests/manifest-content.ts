import type { Spend } from '../../costs/allocation/spend.ts'
import type { NamespaceRef } from '../../domain/subject.ts'
import { CompressedLines } from '../../runtime/compressed-lines.ts'
import type { PricedContainer } from '../containers/namespace-draft.ts'
import { autoscalerNames, verticalAutoscaler } from './autoscalers.ts'
import { type CsvParts, csvHead, csvLine, csvParts } from './csv.ts'
import { type ManifestWorkload, manifestWorkload, type PatchFormat, workloadPatch } from './patches.ts'
import { NamespaceQuota } from './quota.ts'
import { componentHead, componentPatch, type ManifestFormat, writeHead } from './write-head.ts'
import { writeDocument, writeYaml, type Yaml } from './yaml.ts'

interface ManifestEnd {
  readonly measuredHours: number
  newSpendAt(index: number): Spend
}

/**
 * Collects the manifest of a namespace. For each workload only its finished object is held, compressed. Containers are
 * added in order of key, so that those of a workload follow each other.
 */
export class ManifestContent {
  readonly #place: NamespaceRef
  readonly #format: ManifestFormat
  /** The objects, or the lines of a table, as JSON. */
  readonly #objects = new CompressedLines()
  readonly #remarks = new CompressedLines()
  readonly #quota = new NamespaceQuota()
  readonly #scaled: Pick<ManifestWorkload, 'kind' | 'name'>[] = []
  #members: PricedContainer[] = []
  #containers = 0
  #objectCount = 0
  #remarkCount = 0

  constructor(place: NamespaceRef, format: ManifestFormat) {
    this.#place = place
    this.#format = format
  }

  add(container: PricedContainer): void {
    this.#containers++
    if (this.#format === 'csv') this.#keep(csvParts(container, this.#place))
    else if (container.hasUnknownRequests)
      this.#remark(
        `${container.key} is left out: its requests and limits are unknown without kube-state-metrics.`,
      )
    else {
      if (this.#members.length > 0 && this.#members[0]!.workload !== container.workload) this.#endWorkload()
      this.#members.push(container)
    }
  }

  *pieces({ measuredHours, newSpendAt }: ManifestEnd): Generator<string> {
    this.#endWorkload()
    if (this.#format === 'csv') {
      yield csvHead
      let index = 0
      for (const parts of this.#kept())
        yield csvLine(parts as unknown as CsvParts, newSpendAt(index++), measuredHours)
      return
    }
    if (this.#format === 'quota' && this.#containers > 0) {
      const { objects, remarks } = this.#quota.manifestOf(this.#place.namespace)
      for (const object of objects) this.#keep(object)
      for (const remark of remarks) this.#remark(remark)
    }
    yield* writeHead(this.#format, this.#place, {
      isKnown: this.#containers > 0,
      changesNothing: this.#objectCount === 0,
      remarks: linesOf(this.#remarks, this.#remarkCount),
    })
    yield* this.#documents()
  }

  *#documents(): Generator<string> {
    if (this.#format === 'kustomize') {
      yield componentHead(this.#objectCount === 0)
      for (const object of this.#kept()) yield writeYaml([componentPatch(object)])
      return
    }
    const names = this.#format === 'vpa' ? autoscalerNames(this.#scaled) : undefined
    let index = 0
    for (const object of this.#kept()) {
      const metadata = { name: names?.[index++], namespace: this.#place.namespace }
      yield writeDocument(names === undefined ? object : { ...(object as object), metadata })
    }
  }

  #endWorkload(): void {
    const all = this.#members
    this.#members = []
    if (all.length === 0) return
    const isGone = all.every((member) => member.isGone)
    // Pods that run on no longer have a container that is gone, and a patch that names it would add it without an image.
    const members = isGone ? all : all.filter((member) => member.init || !member.isGone)
    const { workload, remark } = manifestWorkload(all[0]!.workload, members)
    if (this.#format === 'quota') {
      const isPatched = workload?.how.podSpec !== undefined && !isGone
      for (const member of members) this.#quota.add(member, isPatched)
      return
    }
    if (remark !== undefined) this.#remark(remark)
    if (workload === undefined) return
    if (isGone) {
      this.#remark(`${all[0]!.workload} is left out: it did not run for a day.`)
      return
    }
    for (const { name, workload: of } of all.filter((member) => !members.includes(member)))
      this.#remark(`Container ${name} of ${of} is left out: it did not run for a day.`)
    if (this.#format === 'vpa') {
      const autoscaler = verticalAutoscaler(workload)
      if (autoscaler === undefined) return
      this.#scaled.push({ kind: workload.kind, name: workload.name })
      this.#keep(autoscaler)
      return
    }
    const patch = workloadPatch(workload, this.#place.namespace, this.#format as PatchFormat)
    if (patch.remark !== undefined) this.#remark(patch.remark)
    if (patch.object !== undefined) this.#keep(patch.object)
  }

  #keep(value: unknown): void {
    this.#objects.add(JSON.stringify(value))
    this.#objectCount++
  }

  #remark(text: string): void {
    this.#remarks.add(JSON.stringify(text))
    this.#remarkCount++
  }

  *#kept(): Generator<Yaml> {
    yield* linesOf<Yaml>(this.#objects, this.#objectCount)
  }
}

function* linesOf<T>(lines: CompressedLines, count: number): Generator<T> {
  for (const piece of lines.pieces(0, count)) for (const line of piece) yield JSON.parse(line)
}
