import { Signal } from '../state/signal.ts'

/** The organisation that the service reserves for the demo. A key of it may also be used to sign in. */
export const demoOrganisation = 'cheapside-demo'

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
