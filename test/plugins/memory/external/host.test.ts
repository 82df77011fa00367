import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressProblem, nameProblem } from 'plugboard/sdk';
import { parseHost, type HostProblem } from '../../../../plugins/memory/engine/external/host.js';

const problemOf = (host: string, allowPrivate: boolean): HostProblem | null => {
  const endpoint = parseHost(host, 6333);
  return typeof endpoint === 'string' ? endpoint : nameProblem(endpoint.hostname, allowPrivate);
};

const REFUSED: readonly [host: string, problem: HostProblem][] = [
  ['', 'host_missing'],
  ['a b', 'host_malformed'],
  ['http://', 'host_malformed'],
  ['ftp://example.com', 'scheme_not_http'],
  ['file:///etc/passwd', 'scheme_not_http'],
  ['user:secret@example.com', 'host_with_credentials'],
  ['http://user@example.com', 'host_with_credentials'],
  ['example.com/path', 'host_with_path'],
  ['http://example.com/?q', 'host_with_path'],
  ['example.com#f', 'host_with_path'],
  ['example.com:80', 'host_with_port'],
  ['[::1]:80', 'host_with_port'],
  ['169.254.169.254', 'address_forbidden'],
  ['http://169.254.169.254', 'address_forbidden'],
  ['2852039166', 'address_forbidden'], // 169.254.169.254 as one number
  ['0xa9.0xfe.0xa9.0xfe', 'address_forbidden'],
  ['0251.0376.0251.0376', 'address_forbidden'],
  ['metadata.google.internal', 'address_forbidden'],
  ['fd00:ec2::254', 'address_forbidden'],
  ['[fe80::1]', 'address_forbidden'],
  ['::ffff:169.254.169.254', 'address_forbidden'],
  ['64:ff9b::a9fe:a9fe', 'address_forbidden'],
  ['2002:a9fe:a9fe::1', 'address_forbidden'],
  ['::ffff:0:169.254.169.254', 'address_forbidden'],
  ['0.0.0.0', 'address_forbidden'],
  ['::', 'address_forbidden'],
  ['224.0.0.1', 'address_forbidden'],
  ['100.100.100.200', 'address_forbidden'],
];

test('a host that leads where nobody outside may reach is refused, however it is written', () => {
  for (const allowPrivate of [false, true]) {
    for (const [host, problem] of REFUSED) assert.equal(problemOf(host, allowPrivate), problem, host);
  }
});

test('loopback and private hosts are refused unless the config allows them', () => {
  const hosts = [
    '127.0.0.1',
    '127.1',
    'localhost',
    'db.localhost',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fc00::1',
    '::ffff:10.0.0.1',
  ];
  for (const host of hosts) {
    assert.equal(problemOf(host, false), 'address_private', host);
    assert.equal(problemOf(host, true), null, host);
  }
});

test('public names and addresses pass, with or without a scheme', () => {
  for (const host of [
    'qdrant.example.com',
    'https://qdrant.example.com',
    '8.8.8.8',
    '2606:4700::1111',
    '172.32.0.1',
    'https://qdrant.example.com/',
  ]) {
    assert.equal(problemOf(host, false), null, host);
  }
});

test('an endpoint keeps the scheme and the port, and brackets an IPv6 address', () => {
  assert.deepEqual(parseHost('https://Qdrant.example.com', 443), {
    scheme: 'https',
    hostname: 'qdrant.example.com',
    url: 'https://qdrant.example.com:443',
  });
  assert.deepEqual(parseHost('2606:4700::1111', 6333), {
    scheme: 'http',
    hostname: '2606:4700::1111',
    url: 'http://[2606:4700::1111]:6333',
  });
});

test('an address that a name resolves to is judged like one that was typed', () => {
  assert.equal(addressProblem('169.254.169.254', true), 'address_forbidden');
  assert.equal(addressProblem('::ffff:127.0.0.1', false), 'address_private');
  assert.equal(addressProblem('93.184.216.34', false), null);
});
