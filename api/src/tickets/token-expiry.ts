import { TOKEN_YEARS } from '@rogatka/contract/tickets.ts'

/** Two years from now. */
export function tokenExpiry(now: Date): Date {
  const expiry = new Date(now)
  expiry.setUTCFullYear(expiry.getUTCFullYear() + TOKEN_YEARS)
  return expiry
}
