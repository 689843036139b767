import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Does something to keys, and has the list loaded again. */
export function useKeyChange<Output>(change: () => Promise<Output>, onDone: (output: Output) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    // What it answers with may be a secret, which must not stay in a cache.
    gcTime: 0,
    onSuccess: (output) => {
      void queries.invalidateQueries({ queryKey: ['keys'] })
      onDone(output)
    },
  })
}
