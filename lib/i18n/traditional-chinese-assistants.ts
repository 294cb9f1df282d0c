import type { englishAssistants } from './english-assistants.ts';

export const traditionalChineseAssistants: Readonly<Record<keyof typeof englishAssistants, string>> = {
  'guide.title': '連結 {school}',
  'guide.about': '這份指南以英文撰寫。程式開啟同一個網址時會取得 Markdown 格式。',
  'guide.contents': '目錄',
  'guide.openapi': 'API 說明（OpenAPI）',
  'guide.graphiql': '在瀏覽器中試用查詢（GraphiQL）',
  'guide.assistants': '連結 AI 助理',
  'assistants.title': '將您的 AI 助理連結到 {school}',
  'assistants.intro':
    'Claude、ChatGPT 等 AI 助理可以代表您使用 {school}。請複製適合您的網址並提供給 AI 助理，它會引導您回到這裡登入，並選擇您允許的項目。',
  'assistants.address.operator': '管理者使用的網址',
  'assistants.address.operator.hint': '適用於協助管理學校的人員。',
  'assistants.address.member': '成員使用的網址',
  'assistants.address.member.hint': '適用於在這裡學習或授課的人。程式需要由管理者提供的用戶端 ID，請見下方說明。',
  'assistants.address.anyone': '所有人都可以使用的網址',
  'assistants.address.anyone.hint': '只提供公開資訊，不需要登入。',
  'assistants.programs': '在您的程式中輸入網址',
  'assistants.programs.text': '程式介面可能會更新；如果選單名稱不同，請尋找「MCP 伺服器」或「連接器」。',
  'assistants.claude':
    '開啟「設定」中的「連接器」，選擇「新增自訂連接器」。輸入名稱和網址並新增，然後選擇「連接」。如果有用戶端 ID，請填入「進階設定」。',
  'assistants.terminal': '在終端機中執行：',
  'assistants.claudeCode': '啟動 claude，輸入 /mcp，選擇 school，然後登入。',
  'assistants.chatgpt':
    '開啟「設定」中的「應用程式」，在「進階設定」中開啟「開發人員模式」。選擇「建立」，輸入名稱和網址，驗證方式選擇 OAuth。',
  'assistants.vsCode':
    '開啟命令選擇區，執行「MCP: Add Server」，選擇 HTTP 並輸入網址。需要用戶端 ID 時，VS Code 會詢問您。',
  'assistants.cursor': '開啟設定中的「Tools & MCP」，選擇「New MCP Server」，並將以下內容加入檔案：',
  'assistants.cursor.then': '儲存檔案，回到「Tools & MCP」，然後選擇「Connect」。',
  'assistants.copilotStudio':
    '開啟您的代理程式，在「工具」中依序選擇「新增工具」、「新工具」、「Model Context Protocol」。輸入網址，並選擇 OAuth 2.0 動態探索。',
  'assistants.gemini': '啟動 gemini，輸入 /mcp auth school。',
  'assistants.zed': '將以下內容加入 Zed 的設定檔：',
  'assistants.zed.then': '儲存檔案，在代理程式的設定中選擇「Authenticate」。',
  'assistants.libreChat':
    '由 LibreChat 的管理員將以下內容加入 librechat.yaml，並填入學校管理者所建立應用程式的用戶端 ID：',
  'assistants.inspector': '選擇 Streamable HTTP，輸入網址，然後選擇「Connect」。',
  'assistants.other': '其他程式',
  'assistants.other.text': '請尋找新增遠端 MCP 伺服器的地方並輸入網址。如果程式只能啟動本機伺服器，請使用這個指令：',
  'assistants.members': '如果您不是管理者',
  'assistants.members.text':
    '大部分的程式只能由管理者連結。請 {school} 的管理者建立供成員使用的 OAuth 應用程式，並提供用戶端 ID 給您。管理者需要知道程式的名稱，以及程式顯示或說明文件中的回呼網址。',
  'assistants.operators.link': 'OAuth 應用程式（供管理者使用）',
  'assistants.tools': 'AI 助理在這裡可以做的事',
  'assistants.tools.none': '這所學校目前沒有提供工具。',
  'assistants.tools.public': '不需要登入。',
  'assistants.tools.signIn': '需要登入。',
  'assistants.tools.needs': '需要您允許：',
};
