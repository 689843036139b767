import { usePlace } from '../app/router.ts'
import { useDays } from '../parts/window-choice.tsx'

/** What sizes are asked for: of how many days, and at which risk. */
export interface SizingPreference {
  readonly days: number
  /** Undefined: as the organisation usually does. */
  readonly profile: string | undefined
  /** A share that stands for the profile; undefined: the profile's own. Not a number where the address has nonsense. */
  readonly risk: number | undefined
}

/** As the address says. */
export function useSizingPreference(): SizingPreference {
  const { params } = usePlace()
  return {
    days: useDays(),
    profile: params.get('profile') ?? undefined,
    risk: params.get('risk') ? Number(params.get('risk')) : undefined,
  }
}
