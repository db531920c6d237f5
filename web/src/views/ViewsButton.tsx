import { Button, Menu } from '@mantine/core'
import type { ViewPage } from '@rogatka/contract/options.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../core/lazyPage.tsx'
import { DownIcon, StarIcon } from '../ui/icons.tsx'
import { isChanged, type PageSearch, useOpenView } from './openViews.ts'
import css from './Views.module.css'

const ViewsMenu = lazyPart('ViewsMenu', () => import('./ViewsMenu.tsx'), {
  features: ['views'],
  Wrapper: () => null,
})

/** Menu of saved views, under the name of the open one. The menu is loaded when it is first opened. */
export function ViewsButton({ page, search }: { page: ViewPage; search: PageSearch }) {
  const { t } = useTranslation()
  const open = useOpenView(page)
  const [isOpen, setIsOpen] = useState(false)
  const [isLoaded, setIsLoaded] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const toggle = (next: boolean) => {
    setIsWanted(true)
    setIsOpen(next && isLoaded)
  }
  const onLoaded = () => {
    setIsLoaded(true)
    setIsOpen(true)
  }
  const changed = open && isChanged(open, search) ? open : undefined
  return (
    <>
      <Menu position="bottom-end" width={344} opened={isOpen} onChange={toggle}>
        <Menu.Target>
          <Button
            variant="default"
            className={css.button ?? ''}
            data-open={open && ''}
            data-changed={changed && ''}
            leftSection={<StarIcon />}
            rightSection={<DownIcon />}
          >
            {open?.name ?? t('views')}
          </Button>
        </Menu.Target>
        {isWanted && (
          <ViewsMenu page={page} search={search} open={open} isChanged={changed !== undefined} onLoaded={onLoaded} />
        )}
      </Menu>
      {changed && <span className={css.changed}>{t('view-changed')}</span>}
    </>
  )
}
