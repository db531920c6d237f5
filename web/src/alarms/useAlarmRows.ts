import { type RefObject, useEffect, useRef, useState } from 'react'
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
      // A key that is held would act on each alarm that gets the focus, unseen.
      else if (action) {
        if (!event.repeat) row.querySelector<HTMLElement>(`[data-action="${action}"]`)?.click()
      } else return
      // Not for the shortcuts of the page, for which these keys have other meanings.
      event.preventDefault()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [list, hasLetters])
}

/** Actions on rows: one at a time for each row, and the keys of the rows whose action is pending. */
export function useRowActions(list: RefObject<HTMLElement | null>) {
  const running = useRef(new Set<string>())
  const [pending, setPending] = useState<ReadonlySet<string>>(running.current)
  const act = async (key: string, action: () => Promise<boolean>): Promise<boolean> => {
    if (running.current.has(key)) return false
    running.current.add(key)
    setPending(new Set(running.current))
    try {
      return await actOnRow(list.current, key, action)
    } finally {
      running.current.delete(key)
      setPending(new Set(running.current))
    }
  }
  return { act, pending }
}

/**
 * Runs an action after which its row moves or leaves, then focuses the row that follows, else the one before, unless the
 * user has moved the focus meanwhile. Returns whether the action succeeded.
 */
async function actOnRow(list: HTMLElement | null, key: string, action: () => Promise<boolean>): Promise<boolean> {
  const rows = rowsOf(list)
  const at = rows.findIndex(({ dataset }) => dataset.alarm === key)
  const [row, next] = [rows[at], rows[at + 1] ?? rows[at - 1]]
  const dialog = document.activeElement?.closest('[role="dialog"]')
  if (!(await action())) return false
  const focused = document.activeElement ?? document.body
  if (focused !== document.body && !row?.contains(focused) && !dialog?.contains(focused)) return true
  if (next?.isConnected) focusRow(next)
  else if (row?.isConnected) focusRow(row)
  else list?.focus()
  return true
}
