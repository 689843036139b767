import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [said, setSaid] = useState<'Copied' | 'Not copied'>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => setSaid(undefined), 2000)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () =>
    copyText(typeof text === 'string' ? text : text()).then(
      () => setSaid('Copied'),
      () => setSaid('Not copied'),
    )
  return (
    <button type="button" className="button" onClick={copy}>
      <Icon name={said === 'Copied' ? 'check' : 'copy'} size={16} />
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}

/** Shows a text with a button that copies it. */
export function CopyText({
  text,
  label = 'Copy',
  wrapped = false,
}: {
  text: string
  label?: string
  /** Shown completely on several lines instead of scrolling. */
  wrapped?: boolean
}) {
  return (
    <div className={wrapped ? 'copy-text wrapped' : 'copy-text'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  )
}

async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  // Without TLS only the old clipboard command is available.
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.className = 'visually-hidden'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (!copied) throw new Error('the browser did not copy')
}
