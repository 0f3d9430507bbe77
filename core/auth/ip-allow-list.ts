import { BlockList, isIP } from 'node:net';

/** An address or CIDR block of IPv4, taken apart; undefined if it is neither. */
export function parseCidr(text: string): { readonly address: string; readonly prefix: number } | undefined {
  const [address = '', prefix = '32', ...rest] = text.split('/');
  if (isIP(address) !== 4 || rest.length > 0 || !/^(\d|[12]\d|3[0-2])$/.test(prefix)) return undefined;
  return { address, prefix: Number(prefix) };
}

/**
 * Whether an agent token admits an address: blocks separated by white space, null for everywhere (decisions 8). An IPv4
 * address that arrives over IPv6 (`::ffff:10.0.0.1`) counts as what it is.
 */
export function isIpAllowed(allowed: string | null, ipAddress: string): boolean {
  const blocks = (allowed ?? '').split(/\s+/).filter((text) => text !== '');
  if (blocks.length === 0) return true;
  const list = new BlockList();
  for (const text of blocks) {
    const block = parseCidr(text);
    if (block) list.addSubnet(block.address, block.prefix);
  }
  const address = ipAddress.replace(/^::ffff:/i, '');
  return isIP(address) === 4 && list.check(address);
}
