export { type AlertsReceiver, startAlerts } from './alerts.ts';
export { attentionActs, listAttention } from './staff/acts.ts';
