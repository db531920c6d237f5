import { oneOf, positiveIn } from '../core/urlParams.ts'

/** Static scales, WIM lanes. */
export const tabs = ['scales', 'lanes'] as const
export type Tab = (typeof tabs)[number]

/** URL parameters: tab, and the station of the lanes; absent: all. */
export type CertificatesSearch = { tab?: Exclude<Tab, 'scales'> | undefined; station?: number | undefined }

/** Parses the URL; malformed values and the default tab are omitted. */
export const readCertificatesSearch = ({ tab, station }: Record<string, unknown>): CertificatesSearch => ({
  tab: oneOf(['lanes'] as const, tab),
  station: positiveIn(station),
})
