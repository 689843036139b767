import '../styles/types.css'
import { TypeList } from './type-list.tsx'
import { TypeView } from './type-view.tsx'

/** Lists instance types, or shows one of them. */
export default function TypesPage({ rest: [provider, type] }: { rest: readonly string[] }) {
  if (provider === undefined || type === undefined) return <TypeList />
  return <TypeView key={`${provider}/${type}`} provider={provider} type={type} />
}
