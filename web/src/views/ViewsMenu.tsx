import { Button, type ButtonProps, Menu } from '@mantine/core'
import type { ViewPage } from '@rogatka/contract/options.ts'
import { PLATE_PARAMETERS, type View } from '@rogatka/contract/views.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../core/copyText.ts'
import { showError } from '../core/errors.ts'
import { stringifySearch } from '../core/search.ts'
import { useLatest } from '../core/useLatest.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import {
  CheckIcon,
  CloseIcon,
  DownIcon,
  LinkIcon,
  PencilIcon,
  PlusIcon,
  StarIcon,
  TrashIcon,
  UndoIcon,
  UpIcon,
} from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { fetchViews, openView, viewsQuery } from './opening.ts'
import { type OpenView, type PageSearch, setOpenView } from './openViews.ts'
import { useViewChanges } from './useViewChanges.ts'
import { ViewDialog } from './ViewDialog.tsx'
import css from './Views.module.css'

type Props = {
  page: ViewPage
  search: PageSearch
  /** The view that is open on the page. */
  open: OpenView | undefined
  /** The page's filters or order differ from it. */
  isChanged: boolean
  /** The button that the menu belongs to. */
  button: ButtonProps
}

/** Views that have a key. */
const WITH_KEY = 9

/**
 * Views to open, and what can be done with the open one and with the page's filters. Opens at once, as its button was
 * pressed to load it.
 */
export function ViewsMenu({ page, search, open, isChanged, button }: Props) {
  const { t } = useTranslation('views')
  const { data: views = [], isSuccess } = useQuery(viewsQuery)
  const navigate = useNavigate()
  const changes = useViewChanges()
  const [dialog, setDialog] = useState<'new' | 'rename' | 'delete' | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  const openFirst = () => void fetchViews().then(() => setIsOpen(true), showError)
  const first = useLatest(openFirst)
  useEffect(() => {
    // It replaces the pressed button; the focus returns to it when the menu closes.
    target.current?.focus({ preventScroll: true })
    first()
  }, [first])
  const toggle = (next: boolean) => {
    if (next && !isSuccess) return openFirst()
    setIsOpen(next)
    if (next) void fetchViews().catch(showError)
  }
  const view = views.find(({ id }) => id === open?.id)
  const at = views.findIndex(({ id }) => id === open?.id)
  const copyLink = useCopyLink(search)
  const show = (view: View) => void openView(view, navigate).catch(showError)
  const move = (by: number) => {
    const ids = views.map(({ id }) => id)
    changes.setOrder(ids.toSpliced(at, 1).toSpliced(at + by, 0, ids[at] as number))
  }
  const close = () => setDialog(null)
  return (
    <>
      <Menu position="bottom-end" width={344} opened={isOpen} onChange={toggle}>
        <Menu.Target>
          <Button ref={target} {...button} />
        </Menu.Target>
        <Menu.Dropdown className={css.menu ?? ''}>
          <Menu.Label>{t('title')}</Menu.Label>
          {views.length === 0 && <p className={css.none}>{t('none')}</p>}
          {views.map((view, index) => (
            <Menu.Item
              key={view.id}
              leftSection={<StarIcon />}
              rightSection={index < WITH_KEY && <Kbd>{index + 1}</Kbd>}
              aria-current={view.id === open?.id || undefined}
              onClick={() => show(view)}
            >
              {view.name}
              <ViewNote view={view} page={page} />
            </Menu.Item>
          ))}
          <Menu.Divider />
          {view && isChanged && (
            <>
              {view.isOwn && (
                <Menu.Item leftSection={<CheckIcon />} onClick={() => changes.save(view, search)}>
                  {t('save')}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<UndoIcon />} onClick={() => show(view)}>
                {t('undo')}
              </Menu.Item>
            </>
          )}
          <Menu.Item leftSection={<PlusIcon />} onClick={() => setDialog('new')}>
            {t('save-as')}
          </Menu.Item>
          <Menu.Item leftSection={<LinkIcon />} onClick={copyLink}>
            {t('copy-link')}
          </Menu.Item>
          {open && (
            <>
              <Menu.Divider />
              <Menu.Label>{open.name}</Menu.Label>
            </>
          )}
          {view && (
            <>
              {view.isOwn && (
                <>
                  <Menu.Item leftSection={<PencilIcon />} onClick={() => setDialog('rename')}>
                    {t('rename')}
                  </Menu.Item>
                  <Menu.CheckboxItem checked={view.shared} onChange={(shared) => changes.share(view, shared)}>
                    {t('shared')}
                  </Menu.CheckboxItem>
                </>
              )}
              <Menu.CheckboxItem
                checked={view.isStart}
                onChange={(isStart) => changes.setStart(isStart ? view.id : null)}
              >
                {t('start')}
              </Menu.CheckboxItem>
              <Menu.Item leftSection={<UpIcon />} closeMenuOnClick={false} disabled={at === 0} onClick={() => move(-1)}>
                {t('move-up')}
              </Menu.Item>
              <Menu.Item
                leftSection={<DownIcon />}
                closeMenuOnClick={false}
                disabled={at === views.length - 1}
                onClick={() => move(1)}
              >
                {t('move-down')}
              </Menu.Item>
            </>
          )}
          {open && (
            <Menu.Item leftSection={<CloseIcon />} onClick={() => setOpenView(page, undefined)}>
              {t('leave')}
            </Menu.Item>
          )}
          {view?.isDeletable && (
            <Menu.Item leftSection={<TrashIcon />} onClick={() => setDialog('delete')}>
              {t('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {(dialog === 'new' || (dialog === 'rename' && view)) && (
        <ViewDialog page={page} search={search} view={dialog === 'rename' ? view : undefined} onClose={close} />
      )}
      {view && (
        <ConfirmDialog
          title={t('delete-question', { name: view.name })}
          open={dialog === 'delete'}
          onClose={close}
          onConfirm={() => {
            changes.remove(view)
            close()
          }}
          confirmLabel={t('delete')}
          destructive
        >
          {view.shared && <p>{t('delete-shared')}</p>}
        </ConfirmDialog>
      )}
    </>
  )
}

/** Whose view it is, and of which page, where that is not obvious. */
function ViewNote({ view, page }: { view: View; page: ViewPage }) {
  const { t } = useTranslation('views')
  const notes = [
    view.page !== page && t(`page-${view.page}`),
    !view.isOwn && t('of-owner', { owner: view.owner }),
    view.isOwn && view.shared && t('is-shared'),
    view.isStart && t('is-start'),
  ].filter((note) => note !== false)
  return notes.length > 0 && <small className={css.note}>{notes.join(' · ')}</small>
}

/** Copies the address of the page without plates. */
function useCopyLink(search: PageSearch) {
  const { t } = useTranslation('views')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  return () => {
    const plates: readonly string[] = PLATE_PARAMETERS
    const shown = Object.entries(search).filter(([key, value]) => !plates.includes(key) || value === undefined)
    const hasPlate = shown.length < Object.keys(search).length
    const address = location.origin + location.pathname + stringifySearch(Object.fromEntries(shown))
    copyText(address).then(
      () => showSuccess(t(hasPlate ? 'link-copied-without-plate' : 'link-copied')),
      (error: unknown) => showWarning(t('link-not-copied'), error),
    )
  }
}
