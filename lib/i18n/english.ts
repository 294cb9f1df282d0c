/** ICU messages. The texts of the scopes are in the scope catalogue. */
export const english = {
  'error.request.title': 'This request could not be completed',
  'error.request.advice':
    'Go back to the application and try again. If the problem continues, send the details below to its developers.',
  'error.fault.title': 'This is not available right now',
  'error.fault.advice': 'One of our systems is not responding. Try again in a moment.',
  'error.details': 'For the developers of the application:',

  'expired.title': 'This page has expired',
  'expired.consent': 'This request has already been answered, has timed out, or was started in another browser.',
  'expired.consent.advice': 'Go back to the application and start again.',
  'expired.form':
    'This page was open for too long, or you have signed in again since you opened it. Nothing was changed.',
  'expired.form.again': 'Reload the page',
  'expired.twice': 'This form was already submitted. Nothing was done a second time.',
  'expired.twice.list': 'See all applications',

  'signIn.again.title': 'Sign in again',
  'signIn.again.text': 'The application asks you to confirm your identity. Sign in again to continue.',
  'signIn.again.button': 'Sign in again',

  'person.changed.title': 'You are signed in as someone else',
  'person.changed.text':
    'Another person has signed in since this request started. You can continue as the person who is signed in now.',
  'person.changed.button': 'Continue',
  'person.signedIn': 'Signed in as {name} ({email})',
  'person.notYou': 'Not you?',

  'forbidden.title': 'You do not have access to this page',
  'forbidden.operator': 'Only operators of {school} can manage its OAuth applications.',
  'forbidden.member': 'You have no role at {school}, so you cannot connect applications here.',
  'forbidden.button': 'Sign in as someone else',
  'missing.title': 'Page not found',
  'missing.applications': 'OAuth applications are not enabled at {school}.',
  'missing.application': '{school} does not have this application. It may have been removed.',

  'consent.title.member': 'Allow {client} to use your account at {school}?',
  'consent.title.operator': 'Allow {client} to act on your behalf at {school}?',
  'consent.title.denied': '{client} cannot be connected',
  'consent.application': 'Application',
  'consent.claimed': 'name not verified',
  'consent.publisher': 'Published at',
  'consent.publisher.checked': 'address verified',
  'consent.website': 'Website',
  'consent.origin': 'Added by',
  'consent.origin.school': 'an operator of {school}',
  'consent.redirect': 'Sends you to',
  'consent.redirect.local': 'a program on this computer ({host})',
  'consent.redirect.app': 'an app on this device ({host})',
  'consent.warn.local':
    'Any program on this computer could use this name. Continue only if you started the application yourself just now.',
  'consent.warn.claimed':
    'The application chose this name itself; nobody at {school} knows who is behind it. Continue only if you trust it.',
  'consent.warn.unreviewed':
    'Nobody at {school} has reviewed this application. The only thing that is certain is where it was published: {host}.',
  'consent.choose': 'Untick what you do not want to allow.',
  'consent.will': 'It will be able to:',
  'consent.before': 'allowed before',
  'consent.always': 'required',
  'consent.none': 'Nothing is ticked. Tick at least one item, or deny the request.',
  'consent.own':
    'Whatever you untick, it can see your name and e-mail address, and what you have enrolled in and bought here.',
  'consent.later': 'You can disconnect it at any time under Connected apps.',
  'consent.allow': 'Allow',
  'consent.deny': 'Deny',
  'consent.back': 'Go back',
  'access.write': 'Change data',
  'access.read': 'View data',
  'access.identity': 'About you',

  'connected.title': 'Connected apps',
  'connected.intro':
    '{count, plural, =0 {No application is connected to your account at {school}. Applications that you allow appear here.} one {One application can use your account at {school}.} other {# applications can use your account at {school}.}}',
  'connected.audience.member': 'uses your own account',
  'connected.audience.operator': 'acts on your behalf at {school}',
  'connected.may': 'It can',
  'connected.since': 'Connected since',
  'connected.used': 'Last used',
  'connected.allowed': 'Last allowed',
  'connected.end': 'Disconnect',
  'connected.end.one': 'Disconnect {client}',
  'connected.end.all': 'Disconnect all',
  'connected.ended':
    '{count, plural, =0 {Already disconnected.} one {Disconnected. The application can no longer use your account.} other {# applications disconnected. They can no longer use your account.}}',
  'connected.confirm.title': 'Disconnect all applications?',
  'connected.confirm.text':
    '{count, plural, one {One application loses} other {# applications lose}} access to your account immediately. They keep the data that they already have.',

  'applications.title': 'OAuth applications',
  'applications.intro':
    'An OAuth application lets anyone with a role at {school} connect a program to their own account here: an app, a website or a script.',
  'applications.none': 'There are no applications yet.',
  'applications.new': 'New application',
  'applications.public': 'public',
  'applications.confidential': 'confidential',
  'applications.created': 'Created on {date}',
  'applications.removed':
    'The application was removed. {count, plural, =0 {Nobody was connected to it.} one {One connection has ended.} other {# connections have ended.}}',
  'applications.saved': 'Saved.',
  'applications.back': 'All applications',

  'form.problems':
    '{count, plural, one {There is a problem with your entries} other {There are # problems with your entries}}',
  'form.optional': 'optional',
  'form.create': 'Create application',
  'form.save': 'Save',
  'form.cancel': 'Cancel',
  'form.edit.title': 'Edit {client}',
  'form.name': 'Name',
  'form.name.hint': 'Shown to people who are asked to allow the application. At most 100 characters.',
  'form.redirectUris': 'Redirect URIs',
  'form.redirectUris.hint':
    'Where people return to, one address per line: https://…, or http://127.0.0.1/… for a program on their computer.',
  'form.clientUri': 'Website',
  'form.clientUri.hint': 'An https:// address where people can learn more.',
  'form.kind': 'Type',
  'form.kind.confidential': 'Confidential: runs on a server, where it can keep a secret',
  'form.kind.public': 'Public: runs in a browser, on a phone or on a desktop, and has no secret',
  'form.scopes': 'Permissions it can request',
  'form.scopes.hint': 'People can allow less, never more.',
  'form.scopes.warning': 'Removing a permission disconnects everyone immediately; they can connect again.',
  'form.clientId': 'Client ID',

  'problem.name.empty': 'Enter a name.',
  'problem.name.long': 'Use at most 100 characters.',
  'problem.name.invisible': 'The name contains invisible characters. Type it again.',
  'problem.redirectUris.empty': 'Enter at least one address.',
  'problem.redirectUris.many': 'Enter at most 10 addresses.',
  'problem.redirectUri': '{uri} cannot be used:',
  'problem.clientUri': 'Enter an address that starts with https://.',
  'problem.scopes.empty': 'Tick at least one.',
  'problem.kind.empty': 'Choose one.',

  'secret.title.new': '{client} is ready',
  'secret.title.rotated': '{client} has a new secret',
  'secret.warning': 'Copy the secret now and store it safely. It is shown only once; we do not keep a copy.',
  'secret.public': 'A public application has no secret; it uses PKCE instead.',
  'secret.secret': 'Client secret',
  'secret.copy': 'Copy',
  'secret.copied': 'Copied',
  'secret.done': 'Done',
  'secret.rotate': 'Create a new secret',
  'secret.rotate.title': 'Create a new secret for {client}?',
  'secret.rotate.text': 'The old secret stops working immediately. People who are connected stay connected.',

  'remove.button': 'Remove application',
  'remove.title': 'Remove {client}?',
  'remove.text':
    '{count, plural, =0 {Nobody is connected to it.} one {One person is connected to it and will be disconnected immediately.} other {# people are connected to it and will be disconnected immediately.}} This cannot be undone.',
  'remove.people':
    '{count, plural, =0 {Nobody is connected.} one {One person is connected.} other {# people are connected.}}',
} as const;
