// What a request may ask for, and what it gets if it does not say.

export const performances = ['conservative', 'equivalent'] as const

export const defaultLimit = 20
export const maxGroups = 200
export const defaultOffersPerType = 3
export const maxOffersPerType = 50
