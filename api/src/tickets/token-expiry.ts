import { TOKEN_YEARS } from '@rogatka/contract/tickets.ts'

export function tokenExpiry(now: Date): Date {
  const expiry = new Date(now)
  expiry.setUTCFullYear(expiry.getUTCFullYear() + TOKEN_YEARS)
  return expiry
}
