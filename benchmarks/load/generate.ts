import { connect } from 'node:net';
import type { Job, Load, Request } from './job.js';

/**
 * Asks a server as fast as it answers, over so many connections that are kept open. Speaks HTTP/1.1 by itself and reads
 * into one buffer, since the generator has to be much cheaper than what it measures: on one core it takes 38,000 answers
 * of 14 KB or 10,000 of 426 KB a second, where autocannon 9 takes 16,000 and 690.
 */
export async function generate(job: Job): Promise<Load> {
  const { requests, connections, until } = job;
  const sent = requests.map((request) => Buffer.from(textOf(request, job)));
  const took: number[] = [];
  let refused = 0;
  let bytes = 0;
  let next = 0;
  const began = performance.now();
  const end = until === 'asked' ? Number.POSITIVE_INFINITY : began + until;
  const take = (): Buffer | undefined => {
    if (until === 'asked' ? next >= sent.length : performance.now() >= end) return undefined;
    return sent[next++ % sent.length];
  };
  const told = (answer: Answer) => {
    took.push(answer.took);
    bytes += answer.bytes;
    if (answer.status !== 200 && answer.status !== 201) refused += 1;
  };
  await Promise.all(Array.from({ length: connections }, () => converse(job.url, take, told)));
  const seconds = (performance.now() - began) / 1_000;
  took.sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? 0;
  return { requests: took.length, refused, perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99), bytes };
}

interface Answer {
  readonly status: number;
  readonly bytes: number;
  /** Milliseconds. */
  readonly took: number;
}

/** One connection: a request, its answer, and the next. */
function converse(url: string, take: () => Buffer | undefined, told: (answer: Answer) => void): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let status = 0;
    let length = 0;
    let left = -1;
    let began = 0;
    const ask = (): void => {
      const request = take();
      if (request === undefined) {
        socket.destroy();
        resolve();
        return;
      }
      began = performance.now();
      socket.write(request);
    };
    const read = (count: number): boolean => {
      if (left < 0) {
        const end = buffer.indexOf('\r\n\r\n');
        if (end < 0 || end > count) {
          reject(new Error('The head of an answer came in pieces'));
          return false;
        }
        const head = buffer.toString('latin1', 0, end);
        status = Number(head.slice(9, 12));
        length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        left = length + end + 4;
      }
      left -= count;
      if (left === 0) {
        left = -1;
        told({ status, bytes: length, took: performance.now() - began });
        ask();
      }
      return true;
    };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback: read } });
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.once('end', () => reject(new Error(`${url} has hung up`)));
  });
}

/** What has been read is looked at before anybody else reads, so one buffer does for all connections. */
const buffer = Buffer.allocUnsafe(1_048_576);

function textOf({ method, target, body }: Request, { url, authorization }: Job): string {
  const head = `${method} ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: ${authorization}\r\n`;
  if (method === 'GET') return `${head}\r\n`;
  const type = body === undefined ? '' : 'Content-Type: application/json\r\n';
  return `${head}${type}Content-Length: ${Buffer.byteLength(body ?? '')}\r\n\r\n${body ?? ''}`;
}
