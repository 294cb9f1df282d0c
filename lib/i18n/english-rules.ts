/** Rules of a school for programs. */
export const englishRules = {
  'consent.role':
    '{school} lets only people with certain roles connect this app. If you need it, ask an operator of {school}.',
  'rule.list': 'Rules for programs',
  'rule.list.intro':
    'A rule decides who at {school} can connect a program and what it can get, whichever way it comes in.',
  'rule.title': 'Rule of {school}',
  'rule.access': 'Can people connect it?',
  'rule.access.default': 'No rule of the school',
  'rule.access.allowed': 'Yes',
  'rule.access.approval': 'Yes, but until an operator approves it, it can only view',
  'rule.access.blocked': 'No, it is blocked',
  'rule.limited': 'limited',
  'rule.now.allowed':
    'People can connect it. What publishes a description of itself on the web still needs an approval to change data.',
  'rule.now.approval': 'People can connect it. Until an operator approves it, it can only view.',
  'rule.now.blocked': 'Nobody can connect it.',
  'rule.now.roles': 'Only people with one of these roles can connect it: {roles}.',
  'rule.now.scopes': 'The most that it can get:',
  'rule.program': 'This is the rule of its program.',
  'rule.platform': 'The platform has a stricter rule than the school. It can’t be changed here.',
  'rule.roles': 'Only people with one of these roles',
  'rule.roles.hint': 'Separate roles with commas. Leave it empty for everyone who can use such an app.',
  'rule.scopes': 'It can get only the permissions that are ticked below',
  'rule.save': 'Save the rule',
  'rule.confirm.title': 'Save the rule for {client}?',
  'rule.confirm.text':
    '{count, plural, one {One person will be disconnected immediately. They can connect it again as far as the rule allows.} other {# people will be disconnected immediately. They can connect it again as far as the rule allows.}}',
  'rule.done': 'The rule is saved.',
  'rule.done.none': 'The school has no rule for it now.',
  'assistants.rule.roles': 'Here only people with certain roles can connect it. Ask an operator of the school.',
  'assistants.rule.scopes': 'Here it gets only some of the permissions.',
} as const;
