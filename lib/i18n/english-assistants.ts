/** The guide for developers, and “Connect your assistant”. */
export const englishAssistants = {
  'guide.title': 'Connect to {school}',
  'guide.about': 'This guide is in English. Programs that open the same address get it as Markdown.',
  'guide.contents': 'Contents',
  'guide.openapi': 'API description (OpenAPI)',
  'guide.graphiql': 'Try queries in the browser (GraphiQL)',
  'guide.assistants': 'Connect an assistant',
  'assistants.title': 'Connect your assistant to {school}',
  'assistants.intro':
    'An assistant such as Claude or ChatGPT can work with {school} for you. Give it the address. It then sends you here to sign in and to choose what you allow.',
  'assistants.address.operator': 'Address for operators',
  'assistants.address.operator.hint': 'If you help to run the school.',
  'assistants.address.member': 'Address for members',
  'assistants.address.member.hint':
    'If you study or teach here. A program needs the client ID of an application that an operator has created for it. Without one it acts for operators only.',
  'assistants.address.anyone': 'Address for everyone',
  'assistants.address.anyone.hint': 'Public information, without signing in.',
  'assistants.programs': 'Enter the address in your program',
  'assistants.programs.text':
    'Programs change; if a menu has another name by now, look for “MCP server” or “connector”.',
  'assistants.claude':
    'Open Settings, then Connectors, and choose Add custom connector. Enter a name and the address, add it, and choose Connect. A client ID goes under Advanced settings.',
  'assistants.terminal': 'Run this in a terminal:',
  'assistants.claudeCode': 'Start claude, enter /mcp, choose school, and sign in.',
  'assistants.chatgpt':
    'Open Settings, then Apps, and switch on Developer mode under Advanced settings. Choose Create, enter a name and the address, and select OAuth. With a client ID: if ChatGPT shows another callback address, an operator adds it to the application.',
  'assistants.vsCode':
    'Open the Command Palette, run “MCP: Add Server”, choose HTTP, and enter the address. VS Code asks for a client ID if it needs one.',
  'assistants.cursor': 'Open Settings, then Tools & MCP, choose New MCP Server, and add this to the file:',
  'assistants.cursor.then': 'Save the file, go back to Tools & MCP, and choose Connect.',
  'assistants.copilotStudio':
    'Open your agent, then Tools, and choose Add a tool, New tool, Model Context Protocol. Enter the address and choose OAuth 2.0 with dynamic discovery.',
  'assistants.gemini': 'Start gemini and enter /mcp auth school.',
  'assistants.zed.then': 'Save the file and choose Authenticate in the settings of the agent.',
  'assistants.libreChat':
    'The administrator of LibreChat adds this to librechat.yaml, with the client ID of an application that an operator of the school created:',
  'assistants.inspector': 'Choose Streamable HTTP, enter the address, and choose Connect.',
  'assistants.other': 'Another program',
  'assistants.other.text':
    'Look for a place to add a remote MCP server and enter the address. If the program can only start local servers, use this command:',
  'assistants.other.member':
    'Choose a program that lets you enter a client ID, and ask an operator of {school} for one.',
  'assistants.operators.link': 'OAuth applications (for operators)',
  'assistants.tools': 'What an assistant can do here',
  'assistants.tools.none': 'This school offers no tools yet.',
  'assistants.tools.public': 'No sign-in needed.',
  'assistants.tools.signIn': 'You have to sign in.',
  'assistants.tools.needs': 'You have to allow:',
  'assistants.who': 'Who are you?',
  'assistants.who.operator': 'I help to run {school}',
  'assistants.who.member': 'I study or teach at {school}',
  'assistants.anyone': 'Without signing in',
  'assistants.take.operator': 'Do you help to run the school? Take the address for operators.',
  'assistants.take.member': 'Not an operator? Take the address for members.',
  'assistants.notOperator':
    '{name} is signed in, and is not an operator of {school}. This address is for operators only.',
  'assistants.qr': 'QR code for a phone',
  'assistants.qr.alt': 'QR code of the address',
  'assistants.open': 'Open {program}',
  'assistants.file': 'Add this to {file}:',
  'assistants.secret': 'Put the client secret in place of {placeholder}.',
  'assistants.codex': 'Use the command or the file, not both. After the file, run codex mcp login school.',
  'assistants.opencode':
    'Then run opencode mcp auth school. In version 2 of opencode, put the server under mcp.servers.',
  'assistants.client.operator':
    '{program} needs a client ID. Create an OAuth application for it; its page then has everything to paste.',
  'assistants.client.operator.link': 'Create an application',
  'assistants.client.member': '{program} needs a client ID from an operator of {school}.',
  'assistants.client.member.link': 'Ask for a client ID',
  'check.link': 'Check the connection',
  'check.title': 'Is your program connected?',
  'check.again': 'Check again',
  'check.reached': 'Reached {school}',
  'check.signedIn': 'You signed in with it',
  'check.called': 'First tool called',
  'check.state.done': 'Done',
  'check.state.refused': 'Refused',
  'check.state.waiting': 'Not yet',
  'check.state.unknown': 'Not known',
  'check.refused': 'The reason: {reason}',
  'check.reached.waiting': 'Nothing of yours has arrived. Compare the address in the program, and have it connect.',
  'check.reached.unknown': 'This page knows of a program only after you have signed in with it.',
  'check.signedIn.waiting':
    'Choose to connect or sign in there. It opens {school} in your browser, where you decide what to allow.',
  'check.called.waiting': 'Ask your assistant something about {school}.',
  'check.called.unknown':
    'The platform shows no log here. Ask your assistant something about {school}: an answer means that it works.',
  'request.title': 'Ask {school} for a client ID',
  'request.intro':
    'Some programs need an OAuth application of the school. Say which program you want to connect; an operator of {school} creates the application or declines. You then find the client ID here. A request is kept for 90 days.',
  'request.new': 'A new request',
  'request.for': 'You ask for {program}.',
  'request.reason': 'What for',
  'request.reason.hint': 'Operators of the school read it. At most 500 characters.',
  'request.ask': 'Send the request',
  'request.made': 'Your request was sent to the operators of the school.',
  'request.withdrawn': 'The request was removed.',
  'request.status.open': 'Waiting for an operator',
  'request.status.granted': 'Ready',
  'request.status.declined': 'Declined',
  'request.declined': 'An operator has declined this request.',
  'request.key':
    'The program also needs the private key that belongs to it. The operator who created the application knows who has it.',
  'request.secret': 'The program also needs a client secret. The operator who created the application has it.',
  'request.gone': 'An operator has removed the application since. You can ask again.',
  'request.withdraw': 'Withdraw',
  'request.withdraw.one': 'Withdraw the request for {client}',
  'request.remove': 'Remove',
  'request.remove.one': 'Remove the request for {client}',
  'applications.asked':
    '{count, plural, one {One member asks for an application} other {# requests of members for applications}}',
  'asked.title':
    '{count, plural, =0 {No open requests} one {One open request of a member} other {# open requests of members}}',
  'asked.intro':
    'Members of {school} ask for an application for their program. They entered names, addresses and reasons themselves.',
  'asked.who': 'Who asks',
  'asked.since': 'Since',
  'asked.grant': 'Create the application',
  'asked.grant.one': 'Create the application for {client}',
  'asked.decline': 'Decline',
  'asked.decline.one': 'Decline the request for {client}',
  'asked.answer': 'Reason, for the member',
  'asked.declined': 'You declined the request for {client}. The member finds your reason on their page.',
  'asked.decided':
    'Another operator has decided on this request, or the member has withdrawn it. Nothing was changed now.',
  'asked.changed.title': 'The member has changed this request',
  'asked.changed':
    'The member asked for something else after you opened the page. Nothing was decided: look at what they ask for now, and decide again.',
  'asked.changed.now': 'Asked for now:',
  'asked.changed.reason':
    'Name and addresses in the form below are what they ask for now; only their reason is another one.',
  'asked.back': 'Open requests',
  'asked.form':
    'A member asks for this: {client}. The form has what they entered, and the permissions that the tools of this school need from members. When you create the application, they find its client ID on their page.',
};
