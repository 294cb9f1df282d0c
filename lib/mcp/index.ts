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
  builtInTools,
  type BuiltInToolOptions,
  listCourses,
  markNotificationRead,
  myCourses,
  myNotifications,
  myPurchases,
  type PageArguments,
  type PurchaseArguments,
  type PurchaseData,
  schoolInfo,
  searchCourses,
} from './built-in/index.ts';
export type { McpOptions } from './declare/options.ts';
export { defineTool, mcp } from './mcp.ts';
