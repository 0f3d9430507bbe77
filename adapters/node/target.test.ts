import test from 'ava';
import { normalizePrefix } from '../http-shared/prefix.js';
import { targetOf } from './target.js';

const target = (prefix: string, url: string, routed: { originalUrl?: string; baseUrl?: string } = {}) =>
  targetOf({ url, ...routed }, normalizePrefix(prefix));

test('without a prefix the target stays as sent, including escapes', (t) => {
  for (const url of ['/', '/v2/x?a=%20b', '//v2', '/v2/../x', '/%ff', '*', '/v2/?', '/a?b?c=/d'])
    t.is(target('', url), url);
});

test('an absolute target loses scheme and host', (t) => {
  t.is(target('', 'http://ci.example.com/v2/x?y=http://z/'), '/v2/x?y=http://z/');
  t.is(target('', 'HTTPS://[::1]:80'), '/');
  t.is(target('', 'http://host?page=1'), '/?page=1');
  t.is(target('/ci', 'http://host/ci/v2'), '/v2');
});

test('a prefix is stripped at segment boundaries only', (t) => {
  t.is(target('/ci', '/ci/v2/x'), '/v2/x');
  t.is(target('/ci/', '/ci/v2/x?y=1'), '/v2/x?y=1');
  t.is(target('/ci', '/ci'), '/');
  t.is(target('/ci', '/ci/'), '/');
  t.is(target('/ci', '/ci?page=2'), '/?page=2');
  t.is(target('/a/b', '/a/b/c'), '/c');
  t.is(target('/ci', '/ci/ci/x'), '/ci/x');
  for (const url of ['/cix', '/', '/v2/x', '/CI/v2', '*', '/x/ci/v2']) t.is(target('/ci', url), undefined, url);
});

test('a prefix that the host has stripped is not stripped again', (t) => {
  const express = { originalUrl: '/ci/v2/x', baseUrl: '/ci' };
  t.is(target('/ci', '/v2/x', express), '/v2/x');
  t.is(target('', '/v2/x', express), '/v2/x');
  t.is(target('/ci', '/ci/x', { originalUrl: '/ci/ci/x', baseUrl: '/ci' }), '/ci/x');
  t.is(target('/ci', '/v2/x', { originalUrl: '/ci/v2/x' }), '/v2/x');
  t.is(target('/ci', '/?page=2', { originalUrl: '/ci?page=2' }), '/?page=2');
  t.is(target('/ci', '/v2', { originalUrl: '/api/ci/v2', baseUrl: '/api/ci' }), '/v2');
});

test('the prefix is stripped when the host has stripped another path or nothing', (t) => {
  t.is(target('/ci', '/ci/v2', { originalUrl: '/api/ci/v2', baseUrl: '/api' }), '/v2');
  t.is(target('/ci', '/v2', { originalUrl: '/api/v2', baseUrl: '/api' }), undefined);
  t.is(target('/ci', '/ci/v2', { originalUrl: '/ci/v2', baseUrl: '' }), '/v2');
  t.is(target('/ci', '/ci/v2', { originalUrl: '/rewritten' }), '/v2');
});

test('an invalid prefix throws when the handler is created', (t) => {
  for (const prefix of ['ci', 'http://x/ci', '/a?b', '/a b', '/#'])
    t.throws(() => normalizePrefix(prefix), { instanceOf: TypeError });
  t.is(normalizePrefix(undefined), '');
  t.is(normalizePrefix('/'), '');
  t.is(normalizePrefix('/ci//'), '/ci');
});
