import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keyLabel } from '../core/frame/keyLabel.ts'
import { closePalette, earlyInput, isPaletteOpen, openPalette, setEarlyInput } from '../core/frame/paletteState.ts'
import { askPurpose } from '../core/purpose.ts'
import { saveAddress } from '../core/savedSearches.ts'
import { nameOf, PALETTE_KEY } from '../core/shortcuts.ts'
import button from '../ui/bareButton.module.css'
import { CloseIcon, SearchIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import css from './Palette.module.css'
import { PaletteRow } from './PaletteRow.tsx'
import { recordUse } from './recent.ts'
import type { Group, Row } from './rows.ts'
import { useGroups } from './useGroups.ts'

const GROUP_TEXTS: Record<Group['name'], string> = {
  recent: 'group-recent',
  plates: 'group-plates',
  stations: 'group-stations',
  users: 'group-users',
  pages: 'group-pages',
  actions: 'group-actions',
}

const FAILURE_TEXTS = { server: 'plates-failed', purpose: 'plates-need-purpose' } as const

/** Asks why the user looks for plates, in place of the palette, which is then opened again with its text. */
async function requestPurpose(text: string, beginning: string | null) {
  closePalette({ keepsFocus: true })
  if (!(await askPurpose(beginning && `${beginning}*`))) return
  openPalette({ fromDialog: true })
  setEarlyInput(text)
}

/**
 * Searches plates, stations, users, pages and actions from any page. Hits of wanted vehicles, which lie above it, stay
 * usable; it closes when one takes the focus.
 */
export function Palette() {
  const { t } = useTranslation('palette')
  const id = useId()
  const [text, setText] = useState(earlyInput)
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const { groups, plates, isEmpty } = useGroups(text)
  const rows = groups.flatMap((group) => group.rows)
  const selected = Math.max(
    0,
    rows.findIndex((row) => row.id === selectedId),
  )
  const { box, field } = useFocusWithin()
  const open = useOpenRow()

  // Later results above it do not move the selection.
  const current = rows[selected]
  if (current && current.id !== selectedId) setSelectedId(current.id)

  const optionId = (at: number) => `${id}-${at}`
  const select = (at: number) => setSelectedId(rows[(at + rows.length) % rows.length]?.id ?? null)
  const type = (typed: string) => {
    setText(typed)
    setSelectedId(null)
  }
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ArrowDown: () => select(selected + 1),
    ArrowUp: () => select(selected - 1),
    Home: () => select(0),
    End: () => select(-1),
    Enter: () => current && open(current, false),
    'Ctrl+Enter': () => current && open(current, true),
    Escape: () => closePalette(),
    [PALETTE_KEY]: ({ repeat }) => !repeat && closePalette(),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method are its own.
    if (event.nativeEvent.isComposing) return
    const run = keys[nameOf(event) ?? '']
    if (!run) return
    event.preventDefault()
    run(event)
  }
  const count = t('count', { count: rows.length })
  return (
    <>
      {/* biome-ignore lint/a11y: Escape does the same */}
      <div className={css.scrim} onClick={() => closePalette()} />
      <div ref={box} className={css.palette} role="dialog" aria-label={t('core:palette')} onKeyDown={onKeyDown}>
        <div className={css.head}>
          <SearchIcon size={18} />
          <input
            ref={field}
            className={css.field}
            role="combobox"
            aria-label={t('core:palette')}
            aria-expanded={rows.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={current && optionId(selected)}
            placeholder={t('placeholder')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={60}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
          />
          <button
            type="button"
            className={`${button.bare} ${css.close}`}
            title={`${t('ui:dismiss')} (Esc)`}
            onClick={() => closePalette()}
          >
            <VisuallyHidden>{t('ui:dismiss')}</VisuallyHidden>
            <Kbd>Esc</Kbd>
            <CloseIcon size={18} />
          </button>
        </div>
        <div className={css.results}>
          {plates.failure && (
            <p className={css.message}>
              {t(FAILURE_TEXTS[plates.failure])}{' '}
              {plates.failure === 'purpose' && (
                <LinkButton onClick={() => void requestPurpose(text, plates.beginning)}>{t('give-purpose')}</LinkButton>
              )}
            </p>
          )}
          {plates.isWaiting && <p className={css.message}>{t('plates-waiting')}</p>}
          {isEmpty && <p className={css.message}>{t('no-results', { text: text.trim() })}</p>}
          {rows.length > 0 && (
            <div id={`${id}-list`} role="listbox" aria-label={t('results')}>
              {groups.map((group) => (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a listbox
                <div key={group.name} role="group" aria-labelledby={`${id}-${group.name}`}>
                  <div id={`${id}-${group.name}`} className={css.group} role="presentation">
                    {t(GROUP_TEXTS[group.name])}
                  </div>
                  {group.rows.map((row) => {
                    const at = rows.indexOf(row)
                    return (
                      <PaletteRow
                        key={row.id}
                        id={optionId(at)}
                        row={row}
                        selected={at === selected}
                        onSelect={() => setSelectedId(row.id)}
                        onOpen={(inNewTab) => open(row, inNewTab)}
                      />
                    )
                  })}
                </div>
              ))}
            </div>
          )}
        </div>
        <VisuallyHidden role="status">
          {plates.failure && `${t(FAILURE_TEXTS[plates.failure])} `}
          {isEmpty && `${t('no-results', { text: text.trim() })} `}
          {!plates.isWaiting && count}
        </VisuallyHidden>
        <div className={css.foot} aria-hidden="true">
          <span>
            <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t('key-select')}
          </span>
          <span>
            <Kbd>Enter</Kbd> {t('key-open')}
          </span>
          <span>
            <Kbd>{keyLabel('Ctrl+Enter')}</Kbd> {t('key-new-tab')}
          </span>
          <span className={css.count}>{count}</span>
        </div>
      </div>
    </>
  )
}

/** Opens a row: its page, also in a new tab, or its action. */
function useOpenRow() {
  const router = useRouter()
  return (row: Row, inNewTab: boolean) => {
    recordUse(row)
    closePalette()
    if (typeof row.open === 'function') row.open()
    else if (inNewTab) {
      saveAddress(row.open)
      window.open(row.open, '_blank')
    } else void router.navigate({ href: row.open })
  }
}

/** Keeps the focus in the palette, except for hits of wanted vehicles; closes it before another page is opened. */
function useFocusWithin() {
  const router = useRouter()
  const box = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    const onFocusIn = ({ target }: FocusEvent) => {
      if (!isPaletteOpen() || !(target instanceof Element) || box.current?.contains(target)) return
      if (target.closest('[data-hit-desk]')) closePalette({ keepsFocus: true })
      else field.current?.focus()
    }
    document.addEventListener('focusin', onFocusIn)
    const unsubscribe = router.subscribe('onBeforeNavigate', () => closePalette())
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      unsubscribe()
    }
  }, [router])
  return { box, field }
}
