import type { Boundary } from 'campus-oidc';
import { defineTool } from 'campus-oidc/mcp';
import type { MemberApiOptions } from 'campus-oidc/member-api';
import type { Classes } from './classes.ts';

/** On the consent page people choose: all classes, or only these. */
export function classBoundary(classes: Classes): Boundary {
  return {
    type: 'class',
    name: 'Classes',
    names: { 'zh-Hant': '班級' },
    scopes: ['students:read', 'students:write'],
    list: (site, member, query) => classes.page(site.id, member, query),
  };
}

const readOnly = { readOnlyHint: true, openWorldHint: false };

/** Two tools that serve nothing outside of what the person has chosen, and one that cannot: it counts across all classes. */
export function classTools(classes: Classes) {
  return [
    defineTool({
      name: 'list_classes',
      title: 'Classes',
      description: 'The classes of the person, without their students.',
      access: { scopes: ['students:read'], honours: ['class'] },
      annotations: readOnly,
      run(_args, { site, token }) {
        const found = classes.of(site.id, token.member, token.limitTo('class'));
        return { structuredContent: { classes: found.map(({ id, name, term }) => ({ id, name, term })) } };
      },
    }),
    defineTool<{ readonly classId: string }>({
      name: 'class_students',
      title: 'Students of a class',
      description: 'The names of the students of one class of the person.',
      inputSchema: {
        type: 'object',
        properties: { classId: { type: 'string', maxLength: 64, description: 'As list_classes returns it.' } },
        required: ['classId'],
        additionalProperties: false,
      },
      access: { scopes: ['students:read'], honours: ['class'] },
      annotations: readOnly,
      run({ classId }, { site, token }) {
        const found = classes.of(site.id, token.member, token.limitTo('class')).find(({ id }) => id === classId);
        return { structuredContent: { students: found?.students ?? [] }, about: found?.name };
      },
    }),
    defineTool({
      name: 'count_students',
      title: 'Number of students',
      description: 'How many students the school has in all its classes.',
      access: { scopes: ['students:read'] },
      annotations: readOnly,
      run: (_args, { site }) => ({ structuredContent: { students: classes.countStudents(site.id) } }),
    }),
  ];
}

/** The same in the Member API. What needs no scope there shows nothing of a class. */
export function classFields(classes: Classes): Pick<MemberApiOptions, 'typeDefs' | 'resolvers' | 'unlimited'> {
  return {
    typeDefs: `
      extend type Viewer {
        "The classes of the viewer, with their students."
        classes: [SchoolClass!] @requiresScopes(scopes: ["students:read"], honours: ["class"])
        "How many students the school has in all its classes."
        studentCount: Int @requiresScopes(scopes: ["students:read"])
      }
      type SchoolClass {
        id: ID!
        name: String!
        term: String!
        students: [ClassStudent!]!
      }
      type ClassStudent {
        name: String!
      }`,
    resolvers: {
      Viewer: {
        classes: (_viewer, _args, { site, viewer, token }) => classes.of(site.id, viewer, token.limitTo('class')),
        studentCount: (_viewer, _args, { site }) => classes.countStudents(site.id),
      },
    },
    unlimited: [
      'Viewer.enrolledCourses',
      'Viewer.digitalProducts',
      'Viewer.consultingServices',
      'Viewer.eventRegistrations',
    ],
  };
}
