import { cores, gib, share } from '../parts/figures.ts'
import { Slider } from '../parts/inputs/inputs.tsx'
import type { Change } from './change.ts'
import type { Comparison, Size } from './comparison.ts'

export function UsageFields({
  comparison,
  size,
  onChange,
}: {
  comparison: Comparison
  size: Size
  onChange: Change
}) {
  const usedCores = Math.min(comparison.usedCores ?? size.cores, size.cores)
  const usedGib = Math.min(comparison.usedGib ?? size.gib, size.gib)
  return (
    <div className="usage">
      <h3>Actual usage</h3>
      <Slider
        label="Processor"
        value={usedCores}
        most={size.cores}
        step={stepOf(size.cores)}
        said={`${cores(usedCores)}, ${share(usedCores / size.cores)}`}
        onChange={(value) => onChange({ cores: String(value) }, true)}
      />
      <Slider
        label="Memory"
        value={usedGib}
        most={size.gib}
        step={stepOf(size.gib)}
        said={`${gib(usedGib)}, ${share(usedGib / size.gib)}`}
        onChange={(value) => onChange({ ram: String(value) }, true)}
      />
    </div>
  )
}

/** Returns a round step that divides the range into about a hundred. */
function stepOf(whole: number): number {
  return [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10].find((step) => whole / step <= 100) ?? 25
}
