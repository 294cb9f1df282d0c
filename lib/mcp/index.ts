export type { CallOptions, DataPage } from '../host/member-data.ts';
export type { CatalogueRequest, PublicCatalogue, PublicCourse } from '../host/public-catalogue.ts';
export type {
  JsonSchema,
  ScopedToolCall,
  StandardSchema,
  Tool,
  ToolAccess,
  ToolCall,
  ToolContent,
  ToolOutput,
  ToolResult,
} from '../plugin-contract/tools.ts';
export {
  markNotificationRead,
  myCourses,
  myNotifications,
  myPurchases,
  type PurchaseData,
} from './built-in/account.ts';
export { builtInTools, type BuiltInToolOptions } from './built-in/built-in-tools.ts';
export { listCourses, schoolInfo, searchCourses } from './built-in/public.ts';
export type { McpOptions } from './declare/options.ts';
export { defineTool, mcp } from './mcp.ts';
