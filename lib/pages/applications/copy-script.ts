/** Where the script of the copy buttons is. */
export function copyScript(path: string): string {
  return `${path}/copy.js`;
}

/** Shows the copy buttons and makes them work. Without it, the fields are there to be selected. */
export const copyScriptText = `for (const button of document.querySelectorAll('button[data-copy]')) {
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
