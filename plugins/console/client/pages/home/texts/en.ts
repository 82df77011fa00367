export const en = {
  title: 'Home',
  summary: 'What runs on this server, and how to call it.',
  address: 'Address',
  health: 'Health',
  ready: 'Ready',
  notReady: 'Not ready',
  degraded: 'Some parts are missing',
  working: 'Works',
  failing: 'Does not work',
  leftOut: 'Left out at the start',
  nextSteps: 'Next steps',
  steps: {
    key: {
      title: 'Create a key for your application',
      hint: 'The key of the first start opens everything. An application gets one that opens what it needs.',
      action: 'Create a key',
    },
    model: {
      title: 'Connect a model',
      hint: 'An upstream of a vendor, or a model server on this machine; the config can name them too.',
      action: 'Add an upstream',
    },
  },
  done: 'Done',
  open: 'To do',
  firstRequest: 'First request',
  firstRequestHint: 'Put an API key into PLUGBOARD_KEY, then:',
  reference: 'All requests',
  pages: 'Pages',
};
export type HomeTexts = typeof en;
