import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../core/shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { OffenderDetails } from './OffenderDetails.tsx'
import css from './Offenders.module.css'
import { useOffender } from './useOffenders.ts'

type Props = {
  /** The chosen vehicle; undefined: none. */
  id: number | undefined
  /** Beside the table; else a drawer, or on phones below it. */
  isBeside: boolean
  onClose: () => void
}

/** Up to this width the chosen vehicle is below the table. */
const BELOW_QUERY = '(max-width: 600px)'

/** The chosen vehicle. */
export function OffenderPanel({ id, isBeside, onClose }: Props) {
  const { t } = useTranslation('offenders')
  const isBelow = useMediaQuery(BELOW_QUERY, false, { getInitialValueInEffect: false })
  if (!isBeside && !isBelow)
    return (
      <Dialog title={t('chosen')} open={id !== undefined} onClose={onClose} from="right">
        {id !== undefined && <Details key={id} id={id} />}
      </Dialog>
    )
  if (id === undefined) {
    if (isBelow) return null
    return (
      <aside className={css.panel} aria-label={t('chosen')}>
        <p className={css.hint}>{t('choose-hint')}</p>
      </aside>
    )
  }
  return (
    <aside className={css.panel} aria-label={t('chosen')}>
      <CloseButton onClose={onClose} />
      <Details key={id} id={id} focus />
    </aside>
  )
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('offenders')
  useShortcuts([{ key: 'Escape', label: t('close'), run: onClose }])
  return (
    <IconButton className={css.close} onClick={onClose} aria-label={t('close')} title={`${t('close')} (Esc)`}>
      <CloseIcon />
    </IconButton>
  )
}

function Details({ id, focus = false }: { id: number; focus?: boolean }) {
  const { t } = useTranslation('offenders')
  const { data, error, refetch } = useOffender(id)
  if (data) return <OffenderDetails offender={data} focus={focus} />
  if (error) return <ErrorBanner error={error} title={t('detail-failed')} retry={() => void refetch()} />
  return <Loading label={t('loading-detail')} />
}
