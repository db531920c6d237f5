import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLetterShortcuts, useShortcuts } from '../core/shortcuts.ts'

const rowsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-alarm]') ?? [])]

function focusRow(row: HTMLElement | undefined) {
  // Shows the focus ring, because the keyboard moved it.
  row?.querySelector<HTMLElement>('a, button')?.focus({ focusVisible: true } as FocusOptions)
  row?.scrollIntoView({ block: 'nearest' })
}

/** Keys of the list: L goes to it, in it ↑ ↓ move, A acknowledges, O shelves; Enter opens the cause, as it is a link. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const { t } = useTranslation('alarms')
  const hasLetters = useLetterShortcuts()
  useShortcuts([
    {
      key: 'l',
      label: t('key-list'),
      run: () => {
        const [first] = rowsOf(list.current)
        if (first) focusRow(first)
        else list.current?.focus()
      },
    },
  ])
  useEffect(() => {
    const element = list.current
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const rows = rowsOf(element)
      const at = rows.findIndex((row) => row.contains(event.target as Node))
      const row = rows[at]
      if (!row) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const action = hasLetters && { a: 'acknowledge', o: 'shelve' }[event.key]
      if (step) focusRow(rows[at + step])
      else if (action) row.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click()
      else return
      // Not for the shortcuts of the page, for which these keys have other meanings.
      event.preventDefault()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [list, hasLetters])
}

/**
 * Runs an action after which its row moves or leaves, then focuses the row that follows, else the one before. Returns whether
 * the action succeeded.
 */
export async function actOnRow(
  list: HTMLElement | null,
  key: string,
  action: () => Promise<boolean>,
): Promise<boolean> {
  const rows = rowsOf(list)
  const at = rows.findIndex(({ dataset }) => dataset.alarm === key)
  const [row, next] = [rows[at], rows[at + 1] ?? rows[at - 1]]
  if (!(await action())) return false
  if (next?.isConnected) focusRow(next)
  else if (row?.isConnected) focusRow(row)
  else list?.focus()
  return true
}
