import type { TicketStatus } from '@rogatka/contract/tickets.ts'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../core/language.ts'

/** Texts shared by the pages of failure reports. */
export function useTicketTexts() {
  const { t } = useTranslation('tickets')
  const language = useLanguage()
  return {
    status: (status: TicketStatus) => t(`status-${status}`),
    /** październik */
    month: (month: number) =>
      new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month - 1)),
    /** 1,2 MB */
    size: (bytes: number) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit: bytes < 1_000_000 ? 'kilobyte' : 'megabyte',
        maximumFractionDigits: bytes < 1_000_000 ? 0 : 1,
      }).format(bytes / (bytes < 1_000_000 ? 1_000 : 1_000_000)),
  }
}
