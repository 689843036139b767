import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Changes keys and reloads the list. */
export function useKeyChange<Output>(change: () => Promise<Output>, onDone: (output: Output) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    // The response may contain a secret, which must not stay in a cache.
    gcTime: 0,
    onSuccess: (output) => {
      void queries.invalidateQueries({ queryKey: ['keys'] })
      onDone(output)
    },
  })
}
