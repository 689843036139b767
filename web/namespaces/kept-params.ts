const kept = ['days', 'from', 'to', 'cluster', 'profile', 'risk']

/** What stays chosen from the list to a namespace and back. */
export const keptParams = (params: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...params].filter(([name]) => kept.includes(name)))
