/** One accelerator model has one name at every provider: with its memory where the model is sold with several. */
export function normaliseGpuName(name: string, memoryMib = 0): string {
  const folded = name.trim().toLowerCase()
  const sizes = withMemory.get(folded)
  return sizes?.find(([mib]) => memoryMib <= mib)?.[1] ?? spellings.get(folded) ?? name.trim()
}

/** Models whose name alone does not determine the memory: the most MiB, then the name. 0 MiB is not known. */
const withMemory = new Map<string, readonly (readonly [number, string])[]>([
  [
    // The 32 GB card is listed with its memory, the older one without.
    'nvidia v100',
    [
      [16_384, 'NVIDIA V100 16GB'],
      [Infinity, 'NVIDIA V100 32GB'],
    ],
  ],
  [
    'nvidia a100',
    [
      [0, 'NVIDIA A100'],
      [40_960, 'NVIDIA A100 40GB'],
      [Infinity, 'NVIDIA A100 80GB'],
    ],
  ],
])

const spellings = new Map([
  ['l4', 'NVIDIA L4'],
  ['l40s', 'NVIDIA L40S'],
  ['a100-40', 'NVIDIA A100 40GB'],
  ['a100-80', 'NVIDIA A100 80GB'],
  ['nvidia h100', 'NVIDIA H100 80GB'],
  ['nvidia h100 80gb mega', 'NVIDIA H100 80GB'], // the same card with a faster network
  ['nvidia h200', 'NVIDIA H200 141GB'],
  ['rtx pro 4500', 'NVIDIA RTX PRO 4500'],
  ['nvidia rtx pro 6000', 'NVIDIA RTX PRO 6000'],
  ['nvidia rtx pro server 6000', 'NVIDIA RTX PRO 6000'],
  ['nvidia rtx pro 6000 blackwell server edition', 'NVIDIA RTX PRO 6000'],
  ['qualcomm qualcomm ai100', 'Qualcomm AI100'],
  ['tesla v100s 32gb', 'NVIDIA V100S 32GB'],
  ['nvidia v100s', 'NVIDIA V100S 32GB'],
])
