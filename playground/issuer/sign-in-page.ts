/** A person who can sign in, as in the ID token. */
export interface Person {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
}

const style = `
:root { color-scheme: light dark; }
body { max-width: 30rem; margin: 0 auto; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
button { display: block; width: 100%; min-height: 3rem; margin: 0.5rem 0; padding: 0.5rem 1rem; font: inherit; text-align: left; cursor: pointer; }
`;

/** The playground's login: people choose who they are. */
export const signInPage = (people: readonly Person[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SSO (playground)</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Single sign-on</h1>
<p>This page replaces your SSO provider in the playground. Sign in as:</p>
<form method="post">
${people.map(({ sub, name, email }) => `<button formaction="?as=${encodeURIComponent(sub)}">${name} (${email})</button>`).join('\n')}
</form>
</main>
</body>
</html>
`;
