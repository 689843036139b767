import { Signal } from '../state/signal.ts'

const place = 'cheapside-demo-key'

/**
 * The key of the demo organisation while this tab shows it. It reads only synthetic data and expires after a day, so it
 * may be kept until the tab is closed. The user's own session continues meanwhile.
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
