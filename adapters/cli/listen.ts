import type { HttpApi } from '../../core/index.js';
import { type ServerHandle, serve } from '../node/index.js';
import { Complaint } from './complaint.js';

/** Takes the address; that it cannot be had is a complaint. */
export async function listen(api: HttpApi, host: string, port: number): Promise<ServerHandle> {
  try {
    return await serve(api, { host, port, onError: (error) => console.error(error) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Complaint(`Port ${port} on ${host} is in use already; choose one with --port`);
    if (code !== undefined) throw new Complaint(`Cannot listen on ${host}, port ${port}: ${reasons[code] ?? message}`);
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
};
