import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../core/shortcuts.ts'

/** ↑ ↓ move between strips and roads. Enter needs no handler, because each contains a link. */
export function useStripKeys(area: RefObject<HTMLElement | null>): void {
  const { t } = useTranslation('overview')
  const move = (offset: 1 | -1) => {
    const strips = [...(area.current?.querySelectorAll<HTMLElement>('[data-strip]') ?? [])]
    const current = strips.findIndex((strip) => strip.contains(document.activeElement))
    const next = current < 0 ? strips.at(offset > 0 ? 0 : -1) : strips[current + offset]
    // Shows the focus ring, because the keyboard moved it.
    next?.querySelector('a')?.focus({ focusVisible: true } as FocusOptions)
    next?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts([
    { key: 'ArrowDown', label: t('key-next'), run: () => move(1) },
    { key: 'ArrowUp', label: t('key-previous'), run: () => move(-1) },
  ])
}
