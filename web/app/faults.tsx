import { Component, type ReactNode } from 'react'
import { Empty } from '../parts/states.tsx'

/** Keeps the menu usable if a page fails, for example because a new version no longer has the files of the old one. */
export class Faults extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <Empty icon="warning" title="This page cannot be shown" text="Reloading it usually helps.">
        <button type="button" className="button primary" onClick={() => location.reload()}>
          Reload
        </button>
      </Empty>
    )
  }
}
