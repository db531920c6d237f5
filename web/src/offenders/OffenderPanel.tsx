import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../core/shortcuts.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import { CarrierDetails } from './CarrierDetails.tsx'
import { OffenderDetails } from './OffenderDetails.tsx'
import css from './Offenders.module.css'
import type { OffenderSearch } from './search.ts'
import { useCarrier, useOffender } from './useOffenders.ts'

type Props = {
  search: OffenderSearch
  /** Beside the table; else a drawer, or on phones below it. */
  isBeside: boolean
  onClose: () => void
}

/** Up to this width the chosen vehicle is below the table. */
const BELOW_QUERY = '(max-width: 600px)'

/** The chosen vehicle or carrier. */
export function OffenderPanel({ search, isBeside, onClose }: Props) {
  const { t } = useTranslation('offenders')
  const { groupBy = 'plate', id, carrier } = search
  const isOpen = id !== undefined || carrier !== undefined
  const title = t(`chosen-${groupBy}`)
  const isBelow = useMediaQuery(BELOW_QUERY, false, { getInitialValueInEffect: false })
  if (!isBeside && !isBelow)
    return (
      <Dialog title={title} open={isOpen} onClose={onClose} from="right">
        <Chosen search={search} />
      </Dialog>
    )
  if (!isOpen) {
    if (isBelow) return null
    return (
      <aside className={css.panel} aria-label={title}>
        <p className={css.hint}>{t(`choose-${groupBy}`)}</p>
      </aside>
    )
  }
  return (
    <aside className={css.panel} aria-label={title}>
      <CloseButton onClose={onClose} />
      <Chosen search={search} focus />
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

function Chosen({ search: { id, carrier, ...search }, focus = false }: { search: OffenderSearch; focus?: boolean }) {
  if (id !== undefined) return <Details key={id} id={id} focus={focus} />
  if (carrier !== undefined) return <Carrier key={carrier} carrierKey={carrier} search={search} focus={focus} />
  return null
}

function Details({ id, focus }: { id: number; focus: boolean }) {
  const { t } = useTranslation('offenders')
  const { data, error, refetch } = useOffender(id)
  if (data) return <OffenderDetails offender={data} focus={focus} />
  if (error) return <ErrorBanner error={error} title={t('detail-failed')} retry={() => void refetch()} />
  return <Loading label={t('loading-detail')} />
}

type CarrierProps = { carrierKey: string; search: OffenderSearch; focus: boolean }

function Carrier({ carrierKey, search, focus }: CarrierProps) {
  const { t } = useTranslation('offenders')
  const { data, error, refetch } = useCarrier(carrierKey)
  if (data) return <CarrierDetails detail={data} search={search} focus={focus} />
  if (error) return <ErrorBanner error={error} title={t('carrier-failed')} retry={() => void refetch()} />
  return <Loading label={t('loading-carrier')} />
}
