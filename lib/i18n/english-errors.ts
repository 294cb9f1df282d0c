/** The pages that go no further. */
export const englishErrors = {
  'error.again': 'Try again',
  'error.request.title': 'We couldn’t complete this request',
  'error.request.advice':
    'Go back to the app and try again. If the problem continues, send the details below to the developers of the app.',
  'error.fault.title': 'This is not available right now',
  'error.fault.cause': 'One of our systems isn’t responding.',
  'error.fault.advice': 'Try again in a moment. If the problem continues, send the details below to the school.',
  'error.cause.request': 'The app has sent a request that we can’t accept.',
  'error.cause.client':
    'The app isn’t registered at {school}, or its registration has ended. Remove the connection in the app and connect it again.',
  'error.cause.metadata': '{school} can’t accept this app, or how it describes itself on the web.',
  'error.cause.redirect':
    'The app wants to send you to an address that isn’t registered for it. For your safety we don’t go there.',
  'error.cause.busy': 'There were too many requests. Wait a few minutes, and try again.',
  'error.cause.host': 'This app is published at {host}, which isn’t responding, so we can’t check the app.',
  'error.details': 'Details',
  'error.code': 'Code',
  'error.description': 'Description',
  'error.client': 'Client ID',
  'error.redirect': 'Redirect URI',
  'error.time': 'Time',
  'error.reference': 'Reference',
  'expired.title': 'This page has expired',
  'expired.consent': 'This request has already been answered, has timed out, or was started in another browser.',
  'expired.consent.advice': 'Go back to the app and start again.',
  'expired.form':
    'This page was open for too long, or you have signed in again since you opened it. Nothing was changed.',
  'expired.form.again': 'Reload the page',
  'expired.twice':
    'Only the first time counts: nothing was done twice. If you need the client secret, open the application and create a new one.',
  'expired.twice.list': 'See all applications',
  'signIn.again.title': 'Sign in again',
  'signIn.again.text': 'The app asks you to confirm that it’s you. Sign in again to continue.',
  'signIn.again.button': 'Sign in again',
  'person.changed.title': 'You are signed in as someone else',
  'person.changed.text':
    'Another person has signed in since this request started. You can continue as {name} ({email}), who is signed in now.',
  'person.changed.unknown':
    'Another person has signed in since this request started. You can continue as the person who is signed in now.',
  'person.changed.button': 'Continue',
  'person.signedIn': 'Signed in as {name} ({email})',
  'person.notYou': 'Not you?',
  'forbidden.title': 'You don’t have access to this page',
  'forbidden.operator': 'Only operators of {school} can manage its OAuth applications.',
  'forbidden.member': 'You have no role at {school}, so you can’t connect apps here.',
  'forbidden.client': 'This app acts for an operator of {school}, and you aren’t one.',
  'forbidden.button': 'Sign in as someone else',
  'forbidden.back': 'Go back to the app',
  'missing.title': 'Page not found',
  'missing.applications': 'OAuth applications are not enabled at {school}.',
  'missing.application': '{school} does not have this application. It may have been removed.',
};
