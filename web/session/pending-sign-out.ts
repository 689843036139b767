const place = 'cheapside-sign-out'

/**
 * A sign-out that the service has not confirmed. Until it does, the cookie is valid, and no tab may resume the session
 * with it.
 */
export const pendingSignOut = {
  exists: (): boolean => localStorage.getItem(place) !== null,

  begin: (): void => localStorage.setItem(place, 'pending'),

  end: (): void => localStorage.removeItem(place),

  /** Calls back when another tab signs out, even if the service confirms it immediately. */
  followOtherTabs: (follower: () => void): void =>
    addEventListener('storage', ({ key, newValue }) => {
      if (key === place && newValue !== null) follower()
    }),
}
