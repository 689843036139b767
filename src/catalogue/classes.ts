import { type Likeness, strictKinds, type TypeTraits } from '../domain/likeness.ts'

/** GPU key, kinds, whether it is offered unasked. */
export type ClassRow = readonly [gpu: number, kinds: number, isOffered: boolean]

/** Offers with the same accelerator, or none, and the same kinds of type: only they can stand in for each other. */
export class Classes {
  readonly rows: ClassRow[] = []
  readonly #ids = new Map<number, number>()
  readonly #byGpu = new Map<number, number[]>()

  constructor(rows: Iterable<ClassRow> = []) {
    for (const [gpu, kinds, isOffered] of rows) this.id(gpu, { kinds, isOffered })
  }

  /** Gives a class that was not there an id. */
  id(gpu: number, { kinds, isOffered }: Pick<TypeTraits, 'kinds' | 'isOffered'>): number {
    const key = keyOf(gpu, kinds, isOffered)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.rows.push([gpu, kinds, isOffered]) - 1
    this.#ids.set(key, id)
    this.#byGpu.getOrInsertComputed(gpu, () => []).push(id)
    return id
  }

  /** Those in which something alike can be. */
  alike(gpu: number, like: Likeness | undefined): readonly number[] {
    if (like === undefined) return this.#byGpu.get(gpu) ?? []
    const id = this.#ids.get(keyOf(gpu, like.kinds, true))
    return id === undefined ? [] : [id]
  }
}

const keyOf = (gpu: number, kinds: number, isOffered: boolean): number =>
  ((gpu << strictKinds.length) + kinds) * 2 + Number(isOffered)
