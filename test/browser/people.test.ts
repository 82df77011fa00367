/** The page of people: added, changed, given a second factor, deleted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DIRECTORY } from 'plugboard/sdk';
import { assertAccessible, inBrowser } from './browser.js';
import { bootConsole, logIn } from './console.js';

const NAME = '<img src=x onerror=alert(1)> 김철수';

test('a person is added, changed, given a second factor and deleted, and a refused password keeps the input', async () => {
  await using server = await bootConsole();
  const headers = { authorization: `Bearer ${await server.key('*')}` };
  const users = async () =>
    (await server.inject({ url: '/api/users', headers })).json<{
      users: { access: string; name: string; email: string | null; twoFactor: boolean }[];
    }>().users;
  await inBrowser(`${await server.listen()}/console/auth/people`, async (page) => {
    await logIn(page);
    await page.getByRole('button', { name: 'Add person' }).first().click();
    const form = page.getByRole('dialog', { name: 'Add person' });
    await form.getByLabel('Login').fill('ann');
    await form.getByLabel('Name').fill(NAME);
    await form.getByRole('combobox', { name: 'Access' }).or(form.getByLabel('Access')).first().click();
    await page.getByRole('option', { name: 'viewer' }).click();
    await form.getByRole('textbox', { name: 'Password' }).fill('short');
    await form.getByRole('button', { name: 'Add person' }).click();
    await form
      .getByText(/password/i)
      .nth(1)
      .waitFor();
    await assertAccessible(page);
    await form.getByRole('textbox', { name: 'Password' }).fill('nine yellow submarines');
    await form.getByRole('button', { name: 'Add person' }).click();

    const drawer = page.getByRole('dialog', { name: 'ann' });
    await drawer.getByLabel('E-mail').fill('ann@example.com');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await drawer.getByRole('button', { name: 'Turn on' }).click();
    const secret = await drawer.getByRole('region', { name: 'Secret' }).textContent();
    assert.match(secret ?? '', /^[A-Z2-7]{16,}$/);
    await drawer.getByRole('button', { name: 'Turn off' }).waitFor();
    await assertAccessible(page);
    const [ann] = await users();
    assert.deepEqual(
      [ann?.access, ann?.name, ann?.email, ann?.twoFactor],
      ['viewer', NAME, 'ann@example.com', true],
    );

    await drawer.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete ann?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nobody but the administrator').waitFor();
    assert.deepEqual(await users(), []);
    assert.equal(await page.locator('img').count(), 0);
  });
});

test('ten thousand people are searched by the server, page by page, and a reload keeps the place', async () => {
  await using server = await bootConsole();
  const directory = server.service(DIRECTORY);
  for (let from = 0; from < 10_000; from += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        directory.create({ login: `user-${String(from + at).padStart(5, '0')}`, type: 'User' }),
      ),
    );
  await inBrowser(`${await server.listen()}/console/auth/people`, async (page) => {
    await logIn(page);
    await page.getByText('1–50 of 10,000').waitFor();
    await page.getByRole('searchbox', { name: /Search/ }).fill('ER-099');
    await page.getByText('1–50 of 100').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–100 of 100').waitFor();
    await page.reload();
    await page.getByText('51–100 of 100').waitFor();
    await page.getByRole('row', { name: /user-09999/ }).waitFor();
  });
});
