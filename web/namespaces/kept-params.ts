const kept = ['days', 'from', 'to', 'cluster', 'profile', 'risk']

/** Returns the choices that are kept between the list and a namespace. */
export const keptParams = (params: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...params].filter(([name]) => kept.includes(name)))
