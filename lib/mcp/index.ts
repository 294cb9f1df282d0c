export type { CallOptions, DataPage, MemberData, PageRequest } from '../contracts/member-data.ts';
export type { McpPlugin } from '../contracts/plugin.ts';
export type { CatalogueRequest, PublicCatalogue, PublicCourse } from '../contracts/public-catalogue.ts';
export type {
  JsonSchema,
  StandardIssue,
  StandardResult,
  StandardSchema,
  Tool,
  ToolAccess,
  ToolActions,
  ToolAnnotations,
  ToolCall,
  ToolContent,
  ToolOutput,
  ToolResult,
  ToolScopes,
} from '../contracts/tools.ts';
export {
  markNotificationRead,
  myCourses,
  myNotifications,
  myPurchases,
  type PurchaseArguments,
  type PurchaseData,
} from './built-in/account.ts';
export { builtInTools, type BuiltInToolOptions } from './built-in/built-in-tools.ts';
export type { PageArguments } from './built-in/listing.ts';
export { listCourses, schoolInfo, searchCourses } from './built-in/public.ts';
export type { McpOptions } from './declare/options.ts';
export { defineTool, mcp } from './mcp.ts';
