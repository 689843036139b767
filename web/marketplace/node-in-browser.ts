/** What the service's own rules for prices use of Node, for the browser. */
export const Buffer = { byteLength: (text: string): number => new TextEncoder().encode(text).length }

export const setImmediate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
