import { usdOf } from '../../allocation/spend.ts'
import { CompressedLines } from './compressed-lines.ts'
import type { NamespaceDraft } from './namespace-draft.ts'
import type { NamespaceText } from './packed-namespace.ts'
import type { PricedContainer } from './sized-container.ts'
import { viewSizes, viewSpend, viewTotals, viewUsd } from './view.ts'

/** Containers as encoded in a response, each without its last member and the closing brace. */
export class ContainerLines {
  readonly lines = new CompressedLines()

  add(container: PricedContainer): void {
    this.lines.add(`${JSON.stringify(container.key)}:${JSON.stringify(viewSizes(container)).slice(0, -1)}`)
  }
}

export function namespaceText(draft: NamespaceDraft<ContainerLines>, createdAt: number): NamespaceText {
  const { cluster, namespace, keys } = draft
  return {
    ...{ cluster, namespace, keys },
    head: `${JSON.stringify(viewSpend(draft, createdAt)).slice(0, -1)},"ContainerRecommendations":{`,
    tail: `},${JSON.stringify(viewTotals(draft)).slice(1)}`,
    *containers(from, to) {
      let index = from
      for (const lines of draft.content.lines.pieces(from, to))
        for (const line of lines) yield `${line},"NewSpend":${viewUsd(usdOf(draft.spendThenAt(index++)))}}`
    },
  }
}
