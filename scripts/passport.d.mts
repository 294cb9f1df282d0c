export declare function findPassport(): { readonly dir: string } | undefined;
