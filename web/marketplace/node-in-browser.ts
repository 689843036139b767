/** Replacements in the browser for what the service's rules for prices use of Node. */
export const Buffer = { byteLength: (text: string): number => new TextEncoder().encode(text).length }

export const setImmediate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
