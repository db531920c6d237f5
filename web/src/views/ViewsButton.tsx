import { Button, type ButtonProps } from '@mantine/core'
import type { ViewPage } from '@rogatka/contract/options.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../core/lazyPage.tsx'
import { DownIcon, StarIcon } from '../ui/icons.tsx'
import { isChanged, type PageSearch, useOpenView } from './openViews.ts'
import css from './Views.module.css'

const focus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true })

/** The pressed button while its menu is loaded. */
const ButtonPlaceholder = ({ button }: { button: ButtonProps }) => (
  <Button ref={focus} {...button} aria-haspopup="menu" aria-expanded={false} />
)

const ViewsMenu = lazyPart('ViewsMenu', () => import('./ViewsMenu.tsx'), {
  features: ['views'],
  Wrapper: ButtonPlaceholder,
})

/** Menu of saved views, under the name of the open one. The menu is loaded when the button is first pressed. */
export function ViewsButton({ page, search }: { page: ViewPage; search: PageSearch }) {
  const { t } = useTranslation()
  const open = useOpenView(page)
  const [isWanted, setIsWanted] = useState(false)
  const changed = open && isChanged(open, search) ? open : undefined
  const button = {
    variant: 'default',
    className: css.button ?? '',
    'data-open': open && '',
    'data-changed': changed && '',
    leftSection: <StarIcon />,
    rightSection: <DownIcon />,
    children: open?.name ?? t('views'),
  }
  return (
    <>
      {isWanted ? (
        <ViewsMenu page={page} search={search} open={open} isChanged={changed !== undefined} button={button} />
      ) : (
        <Button {...button} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsWanted(true)} />
      )}
      {changed && <span className={css.changed}>{t('view-changed')}</span>}
    </>
  )
}
