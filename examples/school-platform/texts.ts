import type { PagesOptions } from 'campus-oidc';
import type { Context } from 'koa';

export type Language = 'en' | 'zh-Hant';

const english = {
  signedOut: 'You are not signed in.',
  signIn: 'Sign in',
  signInTo: 'Sign in to',
  signOut: 'Sign out',
  signedInAs: 'Signed in as',
  noRole: 'no role',
  tryIt: 'Try it',
  memberApp: 'Connect a member app',
  memberAppAbout: 'Harbour Pocket, for students. Sam can allow it.',
  operatorApp: 'Connect an operator app',
  operatorAppAbout:
    'Harbour Reports, for those who run the school. Olivia and Tess can allow it, and choose for which classes.',
  localApp: 'Connect an unknown local app',
  localAppAbout: 'It registers itself, as an app on your computer does, and asks Olivia.',
  document: 'Connect a document client',
  documentAbout: 'Claude Code, known by its published document. The demo needs the Internet for it.',
  everyScope: 'Ask for everything',
  everyScopeAbout: 'An application that wants all 36 scopes of the Admin API.',
  assistant: 'Connect an assistant',
  assistantAbout: 'The address for Claude, ChatGPT and others, step by step.',
  yourApps: 'Your apps',
  yourAppsAbout: 'What uses your account, and how to end it.',
  applications: 'Developers',
  applicationsAbout: 'Create an application of your own. For owners and admins.',
  schoolConnections: 'Apps',
  schoolConnectionsAbout: 'Every app that people have connected, and reviews. For owners and admins.',
  activity: 'Activity',
  activityAbout: 'What apps and people did here, in sentences. For owners and admins.',
  guide: 'Guide for developers',
  guideAbout: 'How to write a client, with commands to copy.',
  schools: 'Other schools',
  people: 'People in this demo',
  password: 'Everyone’s password is',
  continueAs: 'Continue as',
  email: 'E-mail',
  passwordField: 'Password',
  wrong: 'Wrong e-mail or password.',
  or: 'This is a demo. You can continue as one of its people:',
  home: 'Home',
};

/** The demo's own texts. */
export type DemoTexts = typeof english;

const traditionalChinese: DemoTexts = {
  signedOut: '您尚未登入。',
  signIn: '登入',
  signInTo: '登入',
  signOut: '登出',
  signedInAs: '目前登入：',
  noRole: '沒有角色',
  tryIt: '試試看',
  memberApp: '連結給成員使用的應用程式',
  memberAppAbout: '給學生使用的 Harbour Pocket，Sam 可以允許。',
  operatorApp: '連結給校方人員使用的應用程式',
  operatorAppAbout: '給校方人員使用的 Harbour Reports，Olivia 和 Tess 可以允許，並選擇適用的班級。',
  localApp: '連結未知的本機程式',
  localAppAbout: '像您電腦上的程式一樣自行註冊，並請 Olivia 允許。',
  document: '連結以中繼資料文件識別的用戶端',
  documentAbout: '以公開文件識別的 Claude Code。這一項需要網際網路連線。',
  everyScope: '要求所有權限',
  everyScopeAbout: '要求 Admin API 全部 36 項權限的應用程式。',
  assistant: '連結 AI 助理',
  assistantAbout: '提供給 Claude、ChatGPT 等助理的網址與操作步驟。',
  yourApps: '您的應用程式',
  yourAppsAbout: '查看哪些應用程式使用您的帳號，以及如何中斷連結。',
  applications: '開發者',
  applicationsAbout: '建立自己的應用程式。限擁有者與管理員。',
  schoolConnections: '應用程式',
  schoolConnectionsAbout: '查看所有人連結的程式，並進行審查。限擁有者與管理員。',
  activity: '活動紀錄',
  activityAbout: '以句子查看程式與人員在本校的活動。限擁有者與管理員。',
  guide: '開發者指南',
  guideAbout: '如何撰寫用戶端，附有可以複製的指令。',
  schools: '其他學校',
  people: '這個示範中的人',
  password: '所有人的密碼都是',
  continueAs: '以這個身分繼續：',
  email: '電子郵件',
  passwordField: '密碼',
  wrong: '電子郵件或密碼不正確。',
  or: '這是示範環境，您可以用以下身分繼續：',
  home: '首頁',
};

/** What Activity says of calls of the demo's own tools. */
export const campusTexts: PagesOptions['texts'] = {
  en: {
    'did.create_course': '{client} created the course {about}, for {person}',
    'did.class_students': '{client} read the students of {about}, for {person}',
  },
  'zh-Hant': {
    'did.create_course': '{client} 為 {person} 建立課程 {about}',
    'did.class_students': '{client} 為 {person} 讀取 {about} 的學生名單',
  },
};

/** The language that the visitor prefers. */
export function languageOf(ctx: Context): Language {
  const chosen = ctx.acceptsLanguages('en', 'zh-Hant', 'zh-TW', 'zh-HK');
  return typeof chosen === 'string' && chosen.startsWith('zh') ? 'zh-Hant' : 'en';
}

export function textsOf(language: Language): DemoTexts {
  return language === 'en' ? english : traditionalChinese;
}
