/** Sources spell one model in several ways; offers are compared by one spelling. */
export function spellGpu(name: string): string {
  return spellings.get(name.toLowerCase()) ?? name
}

const spellings = new Map([
  ['l4', 'NVIDIA L4'],
  ['l40s', 'NVIDIA L40S'],
  ['nvidia rtx pro 6000', 'NVIDIA RTX PRO 6000'],
  ['rtx pro 4500', 'NVIDIA RTX PRO 4500'],
  ['a100-40', 'NVIDIA A100 40GB'],
  ['a100-80', 'NVIDIA A100 80GB'],
])
