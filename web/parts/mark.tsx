/** The logo: prices that go down step by step. */
export function Mark({ size }: { size: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M7 10h6v6h6v6h6" />
    </svg>
  )
}
