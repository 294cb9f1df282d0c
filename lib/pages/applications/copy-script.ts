export function copyScriptPath(path: string): string {
  return `${path}/copy.js`;
}

/** Reveals the copy buttons. Without it, members select the text in the fields. */
export const copyScript = `for (const button of document.querySelectorAll('button[data-copy]')) {
  if (!navigator.clipboard) break;
  const field = document.getElementById(button.dataset.copy);
  const status = document.getElementById(button.dataset.copy + '-copied');
  button.hidden = false;
  button.addEventListener('click', async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    status.textContent = button.dataset.copied;
    setTimeout(() => (status.textContent = ''), 4000);
  });
}
`;
