/** Validity of a password in calendar months. */
const VALID_MONTHS = 3

/** Adds calendar months (UTC); a day that the month lacks becomes its last. */
const monthsLater = (date: Date, months: number): Date => {
  const later = new Date(date)
  later.setUTCMonth(later.getUTCMonth() + months)
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0)
  return later
}

/** Whether a password is older than 3 calendar months. A missing time counts as expired, an invalid one does not. */
export const passwordExpired = (updatedAt: Date | string | null | undefined, now: Date): boolean => {
  if (updatedAt == null || updatedAt === '') return true
  const changed = new Date(updatedAt)
  return !Number.isNaN(changed.getTime()) && now.getTime() > monthsLater(changed, VALID_MONTHS).getTime()
}
