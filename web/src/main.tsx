import './core/base.css'
import './core/kit.css'
import './core/fonts.css'
import './core/tokens.css'
import './core/contrast.css'
import { MantineProvider } from '@mantine/core'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { adoptSession } from './core/adoptSession.ts'
import { deleteRefusedToken, deviceSession, startDevice } from './core/device.ts'
import { renderFatalError } from './core/fatalError.ts'
import { firstPaint } from './core/firstPaint.ts'
import { SkipLink } from './core/frame/SkipLink.tsx'
import { initTexts, loadTexts } from './core/i18n.ts'
import { startPointer } from './core/pointer.ts'
import type { ProviderReturn } from './core/providerAnswer.ts'
import { addressWithoutPlates, parseSearch, stringifySearch } from './core/search.ts'
import { endSession, session } from './core/session.ts'
import { cssVariables, theme } from './core/theme.ts'
import { resolveRedirect } from './session/guard.ts'
import { LoginPage } from './session/LoginPage.tsx'

/*
 * The login is not among the portal's lazy pages: it loads alone, and the portal follows while the user types.
 */

const loadPortal = () => import('./portal.tsx')

/** Takes the answer of a provider to which the user was sent out of the address; null at any other address. */
async function takeAnswer(): Promise<ProviderReturn | null> {
  if (!location.pathname.startsWith('/login/callback/')) return null
  return (await import('./core/providerAnswer.ts')).takeProviderAnswer()
}

/** Completes what a signed-in user was sent to a provider for. */
const completeReturn = async (answer: ProviderReturn): Promise<void> => {
  const { completeProviderReturn } = await import('./factors/providerReturn.ts')
  await completeProviderReturn(answer)
}

/** Whether only the login has to be shown; if so, changes the URL to that of the login. */
function isLoginOnly(): boolean {
  if (session.get().token !== null || deviceSession.get().token !== null) return false
  const { pathname, search, hash } = location
  const { wanted } = parseSearch(search)
  const decision = resolveRedirect({
    path: pathname,
    url: pathname + search + hash,
    signedIn: false,
    mustChangePassword: false,
    mustSetUpFactor: false,
    home: '/',
    returnTo: wanted,
  })
  if (decision) history.replaceState(null, '', decision.to + stringifySearch({ wanted: decision.returnTo }))
  return location.pathname === '/login'
}

async function start(container: HTMLElement): Promise<void> {
  const answer = await takeAnswer()
  const address = addressWithoutPlates(location.href)
  if (address !== null) history.replaceState(history.state, '', address)
  if (session.get().token !== null) deleteRefusedToken()
  startDevice()
  const isDevice = deviceSession.get().token !== null
  // A wall screen needs no session, and nobody is there to end it. Those of other tabs stay.
  if (isDevice) endSession(null)
  startPointer()
  const { token } = session.get()
  if (token !== null) void loadPortal().catch(() => undefined)
  await Promise.all([initTexts(), isDevice || adoptSession(), loadTexts([token === null ? 'session' : 'errors'])])
  const root = createRoot(container)
  const openPortal = (isSignIn: boolean) =>
    Promise.all([loadPortal(), loadTexts(['errors'])]).then(
      ([{ startPortal }]) => startPortal(root, isSignIn),
      () => {
        root.unmount()
        renderFatalError(container)
      },
    )
  if (!isLoginOnly()) {
    await openPortal(false)
    if (answer) await completeReturn(answer)
    return
  }
  root.render(
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <SkipLink />
        <LoginPage answer={answer} />
      </MantineProvider>
    </StrictMode>,
  )
  const unsubscribe = session.subscribe(() => {
    if (session.get().token === null) return
    unsubscribe()
    void openPortal(true)
  })
  // If the preload fails, it is repeated when needed.
  void firstPaint.then(loadPortal).catch(() => undefined)
}

const container = document.getElementById('root')
if (!container) throw new Error('the page has no #root')
start(container).catch(() => renderFatalError(container))
