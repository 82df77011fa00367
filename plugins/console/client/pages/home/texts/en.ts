export const en = {
  title: 'Home',
  summary: 'What runs on this server, and how to call it.',
  address: 'Address',
  health: 'Health',
  ready: 'Ready',
  notReady: 'Not ready',
  plugins: 'Plugins',
  working: 'works',
  failing: 'fails',
  leftOut: 'left out',
  firstRequest: 'First request',
  firstRequestHint: 'Put an API key into PLUGBOARD_KEY, then:',
  reference: 'All requests',
};
export type HomeTexts = typeof en;
