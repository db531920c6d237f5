import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Programs of the system, which npm does not bring. */
const { NGINX, HAPROXY } = process.env

const configuration = (name: string) => readFile(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8')

/** Replaces a part of a configuration, which must be there. */
function replace(text: string, part: string | RegExp, replacement: string): string {
  if (text.search(part) < 0) throw new Error(`no ${part} in the configuration`)
  return text.replace(part, replacement)
}

/** The documented nginx.conf, with these processes and port, and without TLS. */
async function startNginx(addresses: readonly string[], port: number): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-nginx-'))
  const servers = addresses.map((address) => `server ${address};`).join(' ')
  let server = replace(await configuration('nginx.conf'), /server 127\.0\.0\.1:8080;.*/, servers)
  server = replace(server, /listen 443 ssl http2;.*/, `listen 127.0.0.1:${port};`)
  server = replace(server, /ssl_certificate .*\n/, '')
  server = replace(server, /ssl_certificate_key .*\n/, '')
  server = server.replaceAll('/var/log/nginx', folder)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`)
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(' ')}\n${server}}`,
  )
  return run(NGINX as string, ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'])
}

/** The documented haproxy.cfg, with these processes and port, and without TLS. */
async function startHaproxy(addresses: readonly string[], port: number): Promise<ChildProcess> {
  const file = join(await mkdtemp(join(tmpdir(), 'rogatka-haproxy-')), 'haproxy.cfg')
  const servers = addresses.map((address, at) => `server process${at} ${address} check`).join('\n  ')
  let proxy = replace(await configuration('haproxy.cfg'), /bind :443 .*/, `bind 127.0.0.1:${port}`)
  // No such socket may exist here.
  proxy = replace(proxy, /log \/dev\/log local0\n/, '')
  // Needs twice as many file descriptors, which a user's process may not have.
  proxy = replace(proxy, /maxconn .*/, 'maxconn 1000')
  // They may not exist here, and a user's process cannot change to them.
  proxy = replace(proxy, /user haproxy\n\s*group haproxy\n/, '')
  await writeFile(file, replace(proxy, /server one .*/, servers))
  return run(HAPROXY as string, ['-db', '-f', file])
}

const run = (program: string, parameters: readonly string[]): ChildProcess =>
  // What it says of a configuration that it refuses is shown.
  spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] })

/** The documented proxies, each in front of processes at these addresses; `program` is undefined where none is named. */
export const proxies = [
  { name: 'nginx', program: NGINX, start: startNginx },
  { name: 'haproxy', program: HAPROXY, start: startHaproxy },
]
