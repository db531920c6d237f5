import { oneOf, pageIn } from '../core/urlParams.ts'

/** Open alarms, history, figures, and the table of kinds. */
export const tabs = ['list', 'history', 'figures', 'kinds'] as const
type Tab = (typeof tabs)[number]

/** URL parameters; the default tab and page 1 are omitted. */
export type AlarmSearch = { tab?: Exclude<Tab, 'list'> | undefined; page?: number | undefined }

/** Parses the URL; malformed values are omitted. */
export const readAlarmSearch = ({ tab, page }: Record<string, unknown>): AlarmSearch => ({
  tab: oneOf(['history', 'figures', 'kinds'] as const, tab),
  page: pageIn(page),
})
