export { type AlertsReceiver, startAlerts } from './alerts.ts';
export { attentionActs, countMoneyWaiting, listAttention } from './staff/acts.ts';
