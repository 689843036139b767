/** The colours of the page, for canvases, which cannot use style sheets. */
export interface Palette {
  readonly ink: string
  readonly soft: string
  readonly line: string
  readonly ground: string
  readonly accent: string
  readonly warn: string
  readonly danger: string
  /** Colours for categories, in a fixed order. */
  readonly kinds: readonly string[]
  readonly font: string
}

export const kindCount = 10

export function readPalette(): Palette {
  const probe = document.createElement('span')
  document.body.append(probe)
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const palette = {
    ink: colour('ink'),
    soft: colour('ink-soft'),
    line: colour('line'),
    ground: colour('card'),
    accent: colour('accent'),
    warn: colour('warn'),
    danger: colour('danger'),
    kinds: Array.from({ length: kindCount }, (_, i) => colour(`kind-${i + 1}`)),
    font: getComputedStyle(probe).fontFamily,
  }
  probe.remove()
  return palette
}
