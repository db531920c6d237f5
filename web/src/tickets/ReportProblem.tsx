import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LazyDialog } from '../core/frame/LazyDialog.tsx'
import { lazyPart } from '../core/lazyPage.tsx'
import { usePaletteEntries } from '../core/paletteEntries.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import type { ProblemDialogProps } from './ProblemDialog.tsx'
import css from './Tickets.module.css'

const ProblemDialog = lazyPart('ProblemDialog', () => import('./ProblemDialog.tsx'), { Wrapper: EmptyDialog })

/** Button that reports a problem (F2), on every page for users with the right. */
export function ReportProblem({ className }: { className: string | undefined }) {
  const { t } = useTranslation('tickets')
  const { data: self } = useSelf()
  const isAllowed = useRight('Tickets')
  const [state, setState] = useState<'never opened' | 'open' | 'closed'>('never opened')
  const show = () => setState('open')
  useShortcuts(isAllowed ? [{ key: 'F2', label: t('report-problem'), run: show }] : [])
  usePaletteEntries(
    'actions',
    isAllowed ? [{ id: 'action:report-problem', label: t('report-problem'), shortcut: 'F2', open: show }] : [],
  )
  if (!self || !isAllowed) return null
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={t('report-problem')}
        title={`${t('report-problem')} (F2)`}
        onClick={show}
      >
        <b className={css.mark} aria-hidden="true">
          !
        </b>
      </button>
      {state !== 'never opened' && (
        <ProblemDialog self={self} open={state === 'open'} onClose={() => setState('closed')} />
      )}
    </>
  )
}

/** Placeholder while the script loads. */
function EmptyDialog({ open, onClose, children }: ProblemDialogProps & { children: ReactNode }) {
  const { t } = useTranslation('tickets')
  return (
    <LazyDialog title={t('report-problem')} open={open} onClose={onClose}>
      {children}
    </LazyDialog>
  )
}
