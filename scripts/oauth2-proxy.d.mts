export declare function findOauth2Proxy(): { readonly bin: string } | undefined;
