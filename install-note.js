/*
 * Run by npm after an installation, on the portal's own Node.js: prints which Node.js that is if the machine has another one.
 * npm's warnings about the machine's version are hidden (.npmrc), because only the installation runs on it.
 */

const own = process.version.slice(1)
const installer = /\bnode\/v(\S+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]
if (installer && installer !== own)
  console.log(
    `Node.js ${installer} of this machine is used for the installation only: npm start and npm test run on Node.js ${own}.`,
  )
