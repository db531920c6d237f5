import { Link } from '@tanstack/react-router'
import { PageTabs } from '../../ui/PageTabs.tsx'
import { useTitlePart } from '../useTitle.ts'

type Props = {
  /** For screen readers. */
  label: string
  tabs: readonly { key: string; text: string; search: object }[]
  /** Key of the open tab. */
  current: string
}

/** Tabs of one page, each with other URL parameters. */
export function SearchTabs({ label, tabs, current }: Props) {
  const at = tabs.findIndex(({ key }) => key === current)
  useTitlePart(at > 0 ? (tabs[at]?.text ?? null) : null)
  return (
    <PageTabs inPage label={label}>
      {tabs.map(({ key, text, search }) => (
        <Link
          key={key}
          to="."
          search={search}
          // All tabs have the same path; the current one is marked here.
          activeOptions={{ exact: true, includeSearch: true }}
          {...(key === current && { 'aria-current': 'page' as const })}
        >
          {text}
        </Link>
      ))}
    </PageTabs>
  )
}
