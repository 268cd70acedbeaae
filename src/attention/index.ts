export { type AlertsReceiver, startAlerts } from './alerts.ts';
export { attentionActs, countMoneyWaiting, listMoneyWaiting } from './staff/acts.ts';
