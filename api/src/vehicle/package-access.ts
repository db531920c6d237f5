import { isAnonymised } from '../core/anonymity.ts'
import { requirePurpose } from '../core/purpose.ts'
import { Refusal } from '../core/refusal.ts'
import type { Api } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { requireStepUp } from '../core/step-up.ts'

/** Content that is masked is no evidence. @throws 403 in an anonymised session */
export function assertPackageAllowed(session: Session): void {
  if (isAnonymised(session)) throw new Refusal('forbidden', 403)
}

/**
 * What an evidence package needs beside the rights of its vehicle: plates in clear, a purpose where the portal asks for
 * one, and that the user was verified recently.
 * @throws 403 or 422
 */
export async function requirePackage(api: Api, session: Session): Promise<void> {
  assertPackageAllowed(session)
  await requirePurpose(api, session)
  await requireStepUp(api.db, session, api.now())
}
