/** The icon of a page in the navigation. Pages of other plugins share one. */
import {
  ActivityLogIcon,
  BellIcon,
  ChatBubbleIcon,
  ComponentInstanceIcon,
  ArchiveIcon,
  CounterClockwiseClockIcon,
  DesktopIcon,
  GearIcon,
  HeartIcon,
  IdCardIcon,
  Link2Icon,
  LockOpen1Icon,
  StopwatchIcon,
  PersonIcon,
  RowsIcon,
  SpeakerLoudIcon,
  TokensIcon,
  BarChartIcon,
  MixIcon,
} from '@radix-ui/react-icons';
import type { ComponentType, ReactNode } from 'react';
import type { ListedPage } from './server.js';

const ICONS: Readonly<Record<string, ComponentType>> = {
  Accounts: IdCardIcon,
  Audit: ActivityLogIcon,
  Config: GearIcon,
  Data: RowsIcon,
  Events: BellIcon,
  Health: HeartIcon,
  Jobs: CounterClockwiseClockIcon,
  Keys: LockOpen1Icon,
  Limits: StopwatchIcon,
  Memory: ArchiveIcon,
  Metrics: BarChartIcon,
  People: PersonIcon,
  Playground: ChatBubbleIcon,
  Router: MixIcon,
  Sessions: DesktopIcon,
  Speech: SpeakerLoudIcon,
  Tokens: TokensIcon,
  Webhooks: Link2Icon,
};

export function PageIcon({ page }: { page: ListedPage }): ReactNode {
  const Icon = ICONS[page.title] ?? ComponentInstanceIcon;
  return <Icon />;
}
