/** The page of an account link: a person completes an account by hand, on a phone, with the keyboard, without a network. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { bootTest, type TestServer } from 'plugboard/testing';
import { assertAccessible, inBrowser } from './browser.js';
import { builtIn } from './console.js';

interface Shop extends AsyncDisposable {
  readonly server: TestServer;
  readonly account: string;
  /** Where the application waits for the person. */
  readonly home: string;
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, unknown>>;
  link(): Promise<string>;
  /** Types of what the application was told of, in order. */
  readonly told: string[];
}

/** An application with an account of which little is known, and a webhook. */
async function shop(identity: object, settings: object = {}): Promise<Shop> {
  const told: string[] = [];
  const application = createServer((request, answer) => {
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      if (request.method === 'POST') told.push((JSON.parse(text) as { type: string }).type);
      answer.setHeader('content-type', 'text/html').end('<!doctype html><title>back</title>Welcome back');
    });
  }).listen(0, '127.0.0.1');
  await once(application, 'listening');
  const home = `http://127.0.0.1:${(application.address() as AddressInfo).port}`;
  const server = await bootTest({
    plugins: [
      { plugin: await builtIn('accounts'), config: { defaultPlatform: settings } },
      { plugin: await builtIn('changes'), config: { poll: 10, allowPrivate: true } },
    ],
  });
  const url = await server.listen();
  const key = await server.key('accounts');
  const call: Shop['call'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(`${url}/v2/core/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const read = (await answer.json()) as Record<string, unknown>;
    assert.equal(answer.status, 200, JSON.stringify(read));
    return read;
  };
  await call('POST', 'event_destinations', {
    name: 'Shop',
    type: 'webhook_endpoint',
    event_payload: 'thin',
    enabled_events: ['*'],
    webhook_endpoint: { url: `${home}/hook` },
  });
  const { id } = await call('POST', 'accounts', {
    display_name: 'Kites & <b>Strings</b>',
    identity,
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
  });
  const account = String(id);
  return {
    server,
    account,
    home,
    call,
    told,
    link: async () => {
      const options = { refresh_url: `${home}/again`, return_url: `${home}/done` };
      const useCase = { type: 'account_onboarding', account_onboarding: options };
      return String((await call('POST', 'account_links', { account, use_case: useCase }))['url']);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      application.closeAllConnections();
      application.close();
    },
  };
}

async function statusOf({ call, account }: Shop): Promise<string> {
  const { configuration } = (await call(
    'GET',
    `accounts/${account}?include[]=configuration.merchant`,
  )) as unknown as { configuration: { merchant: { capabilities: { card_payments: { status: string } } } } };
  return configuration.merchant.capabilities.card_payments.status;
}

/** Nothing outside of this machine is asked for. */
async function onPhone(page: Page, width = 360): Promise<void> {
  await page.setViewportSize({ width, height: 740 });
  await page.route(
    (url) => url.hostname !== '127.0.0.1' && url.protocol !== 'data:',
    (route) => assert.fail(`the page asks for ${route.request().url()}`),
  );
}

/** What a reader of pictures looks at; and what everybody needs of each page. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['PLUGBOARD_PICTURES'];
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/onboarding-${name}.png`, fullPage: true });
  await assertAccessible(page);
  const [width, shown] = (await page.evaluate(
    '[document.documentElement.scrollWidth, innerWidth]',
  )) as number[];
  assert.equal(width, shown, `${name}: nothing scrolls sideways`);
}

/** Goes to the input by its label with the keyboard alone would take hundreds of keys: it is focused, then typed into. */
async function type(page: Page, label: string, text: string): Promise<void> {
  const input = page.getByLabel(label, { exact: true }).first();
  await input.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

const INDIVIDUAL: readonly [string, string][] = [
  ['Email', 'kim@example.com'],
  ['Industry', 'Book Stores (5942)'],
  ['Website', 'https://kites.example.com'],
  ['First name', 'Kim'],
  ['Last name', 'Jones'],
  ['Day', '31'],
  ['Month', '3'],
  ['Year', '1980'],
  ['Street and number', '1 Main Street'],
  ['City', 'Springfield'],
  ['State or province', 'Illinois'],
  ['Postal code', '62701'],
  ['Number', '000123456'],
];

test('an individual goes from nothing to active on a phone, with the keyboard, offline, and the application is told', async () => {
  await using made = await shop({ country: 'US' });
  assert.equal(await statusOf(made), 'restricted');
  await inBrowser(await made.link(), async (page) => {
    await onPhone(page);
    assert.match(
      (await page.locator('main').textContent()) ?? '',
      /The account of Kites & <b>Strings<\/b> needs/,
    );
    await look(page, 'welcome');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'What kind of account' }).waitFor();
    assert.ok(!page.url().includes((await made.link()).slice(-20)));
    await look(page, 'basics');
    await page.getByLabel('I do, as an individual').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await look(page, 'details');
    for (const [label, text] of INDIVIDUAL) await type(page, label, text);
    await page.getByLabel('Kind of number').selectOption({ label: 'SSN' });
    await type(page, 'Phone', '12');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await look(page, 'details-problem');
    await page.getByRole('link', { name: /This is not a phone number/ }).press('Enter');
    await type(page, 'Phone', '+15555550123');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check and submit' }).waitFor();
    await look(page, 'review');
    await page.getByLabel(/I accept the terms/).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Agree and submit' }).press('Enter');
    await page.waitForURL(`${made.home}/done`);
    assert.equal(await page.title(), 'back');
  });
  assert.equal(await statusOf(made), 'active');
  const capability = 'v2.core.account[configuration.merchant].capability_status_updated';
  const last = 'v2.core.account[requirements].updated';
  const deadline = Date.now() + 30_000;
  while (
    !made.told.includes('v2.core.account_link.returned') ||
    made.told.at(-1) !== 'v2.core.account[identity].updated'
  ) {
    assert.ok(Date.now() < deadline, `told: ${made.told.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.deepEqual(made.told, [
    'v2.core.account.created',
    'v2.core.account.updated',
    'v2.core.account[identity].updated',
    last,
    'v2.core.account.updated',
    'v2.core.account[defaults].updated',
    'v2.core.account[identity].updated',
    'v2.core.account[configuration.merchant].updated',
    last,
    capability,
    capability,
    'v2.core.account_link.returned',
    'v2.core.account.updated',
    'v2.core.account[identity].updated',
  ]);
});

test('a company names its people, in Korean and on a wide screen, light and dark', async () => {
  await using made = await shop({ country: 'KR', entity_type: 'company' }, { require_persons: true });
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 360],
  ] as const)
    await inBrowser(`${await made.link()}?lang=ko`, async (page) => {
      const shot = (name: string) => look(page, `ko-${colorScheme}-${name}`);
      await page.emulateMedia({ colorScheme });
      await onPhone(page, width);
      await page.getByRole('button', { name: '시작하기' }).click();
      if (colorScheme === 'light') {
        await page.getByRole('heading', { name: '상세 정보' }).waitFor();
        await shot('details');
        for (const [label, text] of [
          ['이메일', 'kim@example.com'],
          ['업종', 'Book Stores (5942)'],
          ['판매하는 상품이나 서비스', '연과 연줄'],
          ['등록 상호', '김가네'],
          ['도로명과 번지', '세종대로 110'],
          ['시/군/구', '중구'],
          ['우편번호', '04524'],
          ['전화번호', '+82 2 1234 5678'],
        ] as const)
          await type(page, label, text);
        await page.getByRole('button', { name: '저장하고 계속' }).click();
      }
      await page.getByRole('heading', { name: '관련 인물' }).waitFor();
      await shot('persons');
      if (colorScheme === 'light') {
        await page.getByRole('link', { name: '인물 추가' }).click();
        await page.getByRole('heading', { name: '인물 정보' }).waitFor();
        await shot('person');
        for (const [label, text] of [
          ['이름', '수진'],
          ['성', '김'],
          ['년', '1980'],
          ['월', '3'],
          ['일', '31'],
        ] as const)
          await type(page, label, text);
        await page.getByLabel('조직을 대표합니다').check();
        await page.getByRole('button', { name: '인물 저장' }).click();
        await page.getByText('더 필요한 정보: 도로명과 번지, 직책, 이메일').waitFor();
        await shot('persons-missing');
        return;
      }
      await page.getByRole('link', { name: '수정: 김 수진' }).click();
      for (const [label, text] of [
        ['직책 (선택)', '대표'],
        ['이메일 (선택)', 'soo-jin@example.com'],
        ['도로명과 번지 (선택)', '세종대로 110'],
      ] as const)
        await type(page, label, text);
      await page.getByRole('button', { name: '인물 저장' }).click();
      await page.getByRole('button', { name: '저장하고 계속' }).click();
      await page.getByRole('alert').waitFor();
      await shot('persons-problem');
      await page.getByLabel(/지분을 25% 이상/).check();
      await page.getByRole('button', { name: '저장하고 계속' }).click();
      await page.getByRole('heading', { name: '확인 및 제출' }).waitFor();
      await shot('review');
      await page.getByLabel(/서비스 약관에 동의/).check();
      await page.getByRole('button', { name: '동의하고 제출' }).click();
      await page.waitForURL(`${made.home}/done`);
    });
  assert.equal(await statusOf(made), 'active');
});
