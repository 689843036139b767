import { defaultReserve } from '../../domain/node-reserve.ts'
import type { Offer } from '../../domain/offer.ts'
import type { Provider } from '../../domain/provider.ts'
import type { CurrentNodeType } from './cluster-nodes.ts'
import type { NodeType } from './packing/node-type.ts'

/** What of a type is left for pods, apart from its price. */
export type NodeSize = Required<Pick<NodeType, 'cores' | 'gib' | 'gpus' | 'podLimit' | 'reserve'>>

type Size = { readonly vcpus: number; readonly ramGib: number }

const defaultPodLimit = 110
/** Share of the listed memory that a node reports if no node of the cluster shows it; Karpenter assumes the same. */
const usualMemoryShare = 0.925
const minMemoryShare = 0.8

/**
 * Sizes of nodes as pods find them. What nodes of a type report is used for that type. For others, memory is that of the
 * list times the share that is reported, and the reserve is what the provider's Kubernetes service publishes.
 */
export class NodeSizes {
  readonly #findProvider: (name: string) => Provider | undefined
  readonly #types: readonly CurrentNodeType[]
  readonly #podsPerNode: number | undefined
  readonly #memoryShare: number
  readonly #reported = new Set<string>()
  readonly #services = new Set<string>()

  constructor(
    findProvider: (name: string) => Provider | undefined,
    current: readonly CurrentNodeType[],
    podsPerNode: number | undefined,
  ) {
    this.#findProvider = findProvider
    this.#types = current
    this.#podsPerNode = podsPerNode
    const shares = current.flatMap(({ capacityGib, offer }) =>
      capacityGib === undefined || !offer?.ramGib ? [] : [capacityGib / offer.ramGib],
    )
    this.#memoryShare =
      shares.length === 0 ? usualMemoryShare : Math.min(1, Math.max(minMemoryShare, Math.min(...shares)))
  }

  /** The type must have an offer. */
  ofCurrent({ offer, cores, gib, capacityGib, podLimit, allocatable }: CurrentNodeType): NodeSize {
    const size = { vcpus: cores, ramGib: capacityGib ?? gib * this.#memoryShare }
    const pods = this.#podsPerNode ?? podLimit ?? this.#podLimitOf(offer!)
    const isReported = allocatable.cores !== undefined && allocatable.gib !== undefined
    if (isReported) this.#reported.add(offer!.instanceType)
    const reserve = isReported
      ? {
          cores: Math.max(0, cores - allocatable.cores!),
          gib: Math.max(0, size.ramGib - allocatable.gib!),
        }
      : this.#reserveOf(offer!, size, pods)
    return { cores, gib: size.ramGib, gpus: offer!.gpuCount, podLimit: pods, reserve }
  }

  /** The offer must have a size. */
  ofOffer(offer: Offer): NodeSize {
    const same = this.#types.find(
      (type) => type.offer?.provider === offer.provider && type.instanceType === offer.instanceType,
    )
    if (same !== undefined) return this.ofCurrent(same)
    const size = { vcpus: offer.vcpus!, ramGib: offer.ramGib! * this.#memoryShare }
    const pods = this.#podsPerNode ?? this.#podLimitOf(offer)
    return {
      cores: size.vcpus,
      gib: size.ramGib,
      gpus: offer.gpuCount,
      podLimit: pods,
      reserve: this.#reserveOf(offer, size, pods),
    }
  }

  /** Says where the reserves come from of all types that were asked for. */
  get note(): string {
    const list = (names: Iterable<string>) => new Intl.ListFormat('en').format([...names].sort())
    const parts = [
      ...(this.#reported.size > 0 ? [`as its nodes report it for ${list(this.#reported)}`] : []),
      ...(this.#services.size > 0 ? [`by the published formula of ${list(this.#services)}`] : []),
    ]
    return `What a node keeps for the system is counted ${parts.join(', for other types ')}.`
  }

  #reserveOf({ provider }: Offer, { vcpus, ramGib }: Size, pods: number): NodeSize['reserve'] {
    const node = { cores: vcpus, gib: ramGib, pods }
    const declared = this.#findProvider(provider)?.kubernetes
    this.#services.add(declared?.service ?? 'Google Kubernetes Engine')
    return declared?.reserve(node) ?? defaultReserve(node)
  }

  /** Where nodes report another limit than their provider publishes for the type, somebody has set it. */
  #podLimitOf(offer: Offer): number {
    const published = ({ provider, instanceType, vcpus }: Offer): number | undefined =>
      this.#findProvider(provider)?.kubernetes?.podsOn?.(instanceType, vcpus ?? 0)
    const set = this.#types.flatMap(({ offer: current, podLimit }) =>
      current === undefined || podLimit === undefined || podLimit === published(current) ? [] : [podLimit],
    )
    return set.length > 0 ? Math.min(defaultPodLimit, ...set) : (published(offer) ?? defaultPodLimit)
  }
}
