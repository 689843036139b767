/** As both databases order names: by their bytes in UTF-8. */
export const compareUtf8 = (a: string, b: string): number =>
  a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
