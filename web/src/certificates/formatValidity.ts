import { formatDay } from '../core/format.ts'

/** First and last day: 01.01.2026 – 30.11.2026. */
export const formatValidity = ({ validFrom, validUntil }: { validFrom: string; validUntil: string }): string =>
  `${formatDay(validFrom)} – ${formatDay(validUntil)}`
