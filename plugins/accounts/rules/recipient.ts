/** Rules on the settings of recipients. */
import type { Rule } from './attempt.js';

const highRisk: Rule = ({ body }) => {
  const activities = body.configuration?.recipient?.high_risk_activities;
  return activities != null && activities.includes('none') && activities.some((one) => one !== 'none')
    ? {
        code: 'high_risk_activities_none_cant_be_combined_with_other_options',
        message: 'configuration.recipient.high_risk_activities has "none" together with other activities',
      }
    : undefined;
};

const purpose: Rule = ({ body, after }) => {
  const sent = body.configuration?.recipient;
  if (sent?.purpose_of_funds === undefined && sent?.purpose_of_funds_description === undefined)
    return undefined;
  const { purpose_of_funds: funds, purpose_of_funds_description: description = '' } =
    after.configuration.recipient ?? {};
  return description !== '' && funds !== 'other'
    ? {
        code: 'purpose_of_funds_description_must_be_empty_for_non_other_purpose_of_funds',
        message:
          'configuration.recipient.purpose_of_funds_description must be empty unless purpose_of_funds is "other"',
      }
    : undefined;
};

export const recipientRules: readonly Rule[] = [highRisk, purpose];
