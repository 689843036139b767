import { Notice } from './states.tsx'

/** Shown if the address has filters that the page does not know, such as "state=closed". */
export function AddressNotice({ ignored }: { ignored: readonly string[] }) {
  if (ignored.length === 0) return null
  return (
    <Notice tone="warning" title="The address has filters that are not valid.">
      They are ignored: {ignored.join(', ')}.
    </Notice>
  )
}
