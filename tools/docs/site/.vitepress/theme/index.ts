import DefaultTheme from 'vitepress/theme';
// oxlint-disable-next-line import/no-unassigned-import -- VitePress takes styles from it
import './style.css';

export default DefaultTheme;
