/** The text is no JSON; `cut` says that it merely ends too early. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
  readonly cut: boolean

  constructor(message: string, cut = false) {
    super(message)
    this.cut = cut
  }
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NotJson((error as Error).message)
  }
}
