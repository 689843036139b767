import { Signal } from './signal.ts'

const place = 'cheapside-demo-key'

/**
 * The key of the demo organisation, while this tab looks at it. It reads invented data alone and ends after a day, so it
 * may be kept until the tab is closed; the session of the user goes on beneath it.
 */
export const demo = {
  key: new Signal<string | undefined>(sessionStorage.getItem(place) ?? undefined),

  enter(key: string): void {
    sessionStorage.setItem(place, key)
    demo.key.set(key)
  },

  leave(): void {
    sessionStorage.removeItem(place)
    demo.key.set(undefined)
  },
}
