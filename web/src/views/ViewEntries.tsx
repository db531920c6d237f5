import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { showError } from '../core/errors.ts'
import { usePaletteEntries } from '../core/paletteEntries.ts'
import { StarIcon } from '../ui/icons.tsx'
import { openView, viewsQuery } from './opening.ts'

const PAGES = { current: 'nav-current', archive: 'nav-archive', statistics: 'nav-statistics' } as const

/** Views that a digit opens. */
const WITH_KEY = 9

/** The saved views as entries of the open palette. */
export function ViewEntries() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: views = [] } = useQuery(viewsQuery)
  usePaletteEntries(
    'pages',
    views.map((view, at) => ({
      id: `view:${view.id}`,
      label: view.name,
      note: t(PAGES[view.page]),
      ...(at < WITH_KEY && { shortcut: String(at + 1) }),
      Icon: StarIcon,
      open: () => void openView(view, navigate).catch(showError),
    })),
  )
  return null
}
