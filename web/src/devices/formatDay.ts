/** `2026-11-30` → 30.11.2026; empty without a day. */
export const formatDay = (day: string | null): string => day?.split('-').reverse().join('.') ?? ''
